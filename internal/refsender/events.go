package refsender

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

type eventRequest struct {
	Type     string          `json:"type"`
	Data     json.RawMessage `json:"data"`
	Object   string          `json:"object"`
	Endpoint string          `json:"endpoint"`
	Tenant   string          `json:"tenant"`

	Environment string `json:"environment"`
	// RolledBack asks for a business change that fails after its event was written: nothing may come of it.
	RolledBack bool `json:"rolled_back"`
}

// typeMax bounds the type's length; it stands in each payload and log line, and real ones have some 40 letters.
const typeMax = 200

func (s *Sender) postEvent(q *http.Request) (int, any, error) {
	accepted := time.Now()
	if err := s.accepting(); err != nil {
		return 0, nil, err
	}
	var in eventRequest
	if err := decode(q, &in); err != nil {
		return 0, nil, err
	}
	if in.Type == "" || len(in.Type) > typeMax {
		return 0, nil, refuse(http.StatusBadRequest, "type must have 1 to %d bytes", typeMax)
	}
	if err := checkEnvironment(in.Environment); err != nil {
		return 0, nil, err
	}
	var err error
	if in.Data, err = object(in.Data); err != nil {
		return 0, nil, err
	}
	f := fields{id: newID(eventPrefix), kind: in.Type, created: s.defect.created(accepted.Add(s.variant.ahead())), data: in.Data}
	open, err := s.accept(in, f, accepted)
	if err != nil {
		return 0, nil, err
	}
	for _, d := range open {
		s.enqueue(d)
	}
	s.defect.linger(q.Context(), s, in.Tenant, open)
	if in.RolledBack {
		return http.StatusOK, map[string]bool{"rolled_back": true}, nil
	}
	return http.StatusAccepted, map[string]string{"id": f.id}, nil
}

// errRolledBack ends a transaction that is to leave no trace.
var errRolledBack = errors.New("rolled back as asked")

// accept commits the business object, the event with its frozen payload, and its deliveries together; or rolls all of them
// back, if that is asked for.
func (s *Sender) accept(in eventRequest, f fields, accepted time.Time) (open []*delivery, err error) {
	if in.Object == "" {
		in.Object = f.id // an event about nothing nameable is its own object
	}
	err = s.store.write(func(t *tx) error {
		if err := t.exec("INSERT INTO objects (name, data) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET data = excluded.data",
			in.Object, []byte(f.data)); err != nil {
			return err
		}
		if open, err = s.publish(t, in, f, accepted); err == nil && in.RolledBack {
			err = errRolledBack
		}
		return err
	})
	if !errors.Is(err, errRolledBack) {
		return open, err
	}
	if !s.defect.publishesAlone() {
		return nil, nil
	}
	err = s.store.write(func(t *tx) error {
		open, err = s.publish(t, in, f, accepted)
		return err
	})
	return open, err
}

// publish writes the event and its deliveries.
func (s *Sender) publish(t *tx, in eventRequest, f fields, accepted time.Time) ([]*delivery, error) {
	ids, err := s.matching(t, in)
	if err != nil {
		return nil, err
	}
	if err := s.variant.admits(t, ids); err != nil {
		return nil, err
	}
	body, err := s.defect.freeze(t, s.envelope, f, ids)
	if err != nil {
		return nil, err
	}
	body = s.variant.style(body)
	if err := t.exec("INSERT INTO events (id, type, created, object, body) VALUES (?, ?, ?, ?, ?)",
		f.id, f.kind, f.created, in.Object, body); err != nil {
		return nil, err
	}
	var open []*delivery
	for _, id := range ids {
		d := &delivery{
			event: f.id, endpoint: id, accepted: accepted, trigger: triggerSchedule,
			due: accepted.Add(draw(s.c.Schedule.Wait(1), s.random())), shared: s.defect.shares(in.Tenant),
			chain: s.chain(id, in.Object),
		}
		open = append(open, d)
		if err := t.exec("INSERT INTO deliveries (event, endpoint, state, accepted_at, next_at, trigger) VALUES (?, ?, 'pending', ?, ?, ?)",
			d.event, d.endpoint, accepted.UnixNano(), d.due.UnixNano(), d.trigger); err != nil {
			return nil, err
		}
	}
	return open, nil
}

type objectRequest struct {
	Data json.RawMessage `json:"data"`
}

func (s *Sender) putObject(q *http.Request) (int, any, error) {
	if err := s.accepting(); err != nil {
		return 0, nil, err
	}
	name, err := variable(q, "object")
	if err != nil {
		return 0, nil, err
	}
	var in objectRequest
	if err := decode(q, &in); err != nil {
		return 0, nil, err
	}
	data, err := object(in.Data)
	if err != nil {
		return 0, nil, err
	}
	err = s.store.write(func(t *tx) error {
		n, err := t.changed("UPDATE objects SET data = ? WHERE name = ?", []byte(data), name)
		if err == nil && n == 0 {
			err = refuse(http.StatusNotFound, "there is no such object")
		}
		return err
	})
	return http.StatusNoContent, nil, err
}

// chain names what is delivered in order, where the contract promises that: the events about one object at one endpoint.
func (s *Sender) chain(endpoint, object string) string {
	if s.c.Order != "per-key" || object == "" {
		return ""
	}
	return endpoint + " " + object
}
