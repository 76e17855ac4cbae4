package mockreceiver

import (
	"io"

	"github.com/hookassay/hookassay/mockreceiver/fault"
)

// slowReader takes in a body piece by piece, each at the end of its interval. The time is delay of ours, and the peer has
// as long as for a whole body for each piece.
type slowReader struct {
	x    *exchange
	from io.Reader
	pace fault.Pace
	left int // of the current interval
}

// Read implements io.Reader.
func (s *slowReader) Read(p []byte) (int, error) {
	if s.left == 0 {
		if !s.x.wait(s.pace.Every, nil) {
			return 0, errStopped
		}
		s.left = s.pace.Bytes
		s.x.bodyWithin(s.x.r.cfg.BodyTimeout)
	}
	n, err := s.from.Read(p[:min(len(p), s.left)])
	s.left -= n
	return n, err
}
