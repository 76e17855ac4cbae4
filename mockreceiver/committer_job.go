package mockreceiver

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver/business"
	"github.com/hookassay/hookassay/mockreceiver/journal"
)

// job is one thing to write. Exactly one goroutine waits on done, if it is not nil.
type job struct {
	arrival  *evidence.Arrival
	text     [2][]byte // of arrival and record, made by whoever submits the job
	write    *businessJob
	record   evidence.Record   // an outcome, effect or trouble
	after    *evidence.Arrival // an outcome's arrival, where its Seq was not known yet
	task     func(context.Context, *sql.Conn) error
	move     func(context.Context, *business.Ledger) error // a step of an inbox
	scenario string
	done     chan error
	observed bool // a trouble that was handed over before it could be written
}

// businessJob is a business write; Done is set before the job is done.
type businessJob struct {
	business.Write                   // its Seq is taken from the arrival
	arrival        *evidence.Arrival // may be written by the same job or before
}

// size is how much body a job has to write.
func (j *job) size() int {
	if j.arrival == nil {
		return 0
	}
	return len(j.arrival.Body)
}

// encode makes the texts of the records, if they are not there yet. Whoever submits a job does it, so that the one goroutine
// that writes has less to do.
func (j *job) encode() error { return j.encodeInto(&texts{}) }

// encodeInto does the same in a place for the texts.
func (j *job) encodeInto(room *texts) (err error) {
	if j.arrival != nil && j.text[0] == nil {
		if j.text[0], err = journal.EncodeInto(room.list[0], j.arrival); err != nil {
			return fmt.Errorf("arrival: %w", err)
		}
	}
	if j.record != nil && j.text[1] == nil {
		j.text[1], err = journal.EncodeInto(room.list[1], j.record)
	}
	return err
}

// texts is a place for a job's texts, used again and again.
type texts struct {
	list [2][]byte
	from *sync.Pool
}

// encode makes a job's texts in a place that whoever waits for the job gives back once they are written.
func (c *committer) encode(j *job) (room *texts, err error) {
	room, ok := c.rooms.Get().(*texts)
	if !ok {
		room = &texts{from: &c.rooms}
	}
	return room, j.encodeInto(room)
}

// takeBack takes the place of a job's texts for the next one.
func (t *texts) takeBack(j *job) {
	for i, text := range j.text {
		if text != nil {
			t.list[i], j.text[i] = text, nil
		}
	}
	t.from.Put(t)
}
