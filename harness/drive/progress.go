package drive

import "time"

// Progress is what a run has done so far.
type Progress struct {
	At        time.Duration // since the start of the run
	Scenarios int           // how many are played
	Done      int           // of which so many have ended
	Emitted   int           // events that the sender accepted
	Arrivals  int           // requests received, copies included
	Note      string        // something that just happened, for people; empty for a mere count
}
