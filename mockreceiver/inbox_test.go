package mockreceiver_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/business"
)

// effect is an external system that does as told and remembers its calls.
type effect struct {
	mu    sync.Mutex
	calls map[string]int // by idempotency key
	tasks []business.Task
	do    func(ctx context.Context, call int, t business.Task) error
}

func (e *effect) call(ctx context.Context, t business.Task) error {
	e.mu.Lock()
	if e.calls == nil {
		e.calls = map[string]int{}
	}
	e.calls[t.IdempotencyKey]++
	n := e.calls[t.IdempotencyKey]
	e.tasks = append(e.tasks, t)
	e.mu.Unlock()
	if e.do == nil {
		return nil
	}
	return e.do(ctx, n, t)
}

func (e *effect) seen() []business.Task {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]business.Task(nil), e.tasks...)
}

// quick is a worker that does not keep a test waiting.
func quick(w business.Worker) business.Worker {
	w.Backoff = time.Millisecond
	return w
}

var _ = Describe("An inbox", func() {
	items := func(r *rig, q business.Query) []business.Item {
		GinkgoHelper()
		q.Limit = 100
		list, err := r.Inbox(context.Background(), q)
		Expect(err).NotTo(HaveOccurred())
		return list
	}
	states := func(r *rig) func() []business.State {
		return func() []business.State {
			var list []business.State
			for _, i := range items(r, business.Query{}) {
				list = append(list, i.State)
			}
			return list
		}
	}
	send := func(url, body string) int {
		GinkgoHelper()
		status, _ := post(GinkgoTB(), client(GinkgoTB()), url, body)
		return status
	}

	It("takes an event in before the 2xx, handles it afterwards, and calls nothing done that is not", func() {
		release := make(chan struct{})
		out := &effect{do: func(ctx context.Context, _ int, _ business.Task) error {
			select {
			case <-release:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}}
		r := start(GinkgoTB(), mockreceiver.Config{Effect: out.call})
		url := r.add(mockreceiver.Endpoint{Name: "e", Business: business.Inbox})
		Expect(send(url, `{"id":"evt_1","type":"a.b"}`)).To(Equal(200))
		first := r.effects(1)[0]
		Expect(first.Result).To(Equal(evidence.EffectQueued))
		Expect(first.Dedupe).To(BeTrue())
		Expect(first.Rows).To(BeZero(), "nothing was done yet")
		Eventually(states(r), patience).Should(Equal([]business.State{business.Processing}))
		Expect(send(url, `{"id":"evt_1","type":"a.b"}`)).To(Equal(200))
		again := r.effects(2)[1]
		Expect(again.Result).To(Equal(evidence.EffectAbsorbed))
		Expect(again.Detail).To(ContainSubstring("processing"))
		close(release)
		Eventually(states(r), patience).Should(Equal([]business.State{business.Completed}))
		Expect(out.seen()).To(HaveLen(1))
		task := out.seen()[0]
		Expect(task.IdempotencyKey).To(Equal("e/evt_1"))
		Expect(string(task.Body)).To(Equal(`{"id":"evt_1","type":"a.b"}`))
		Expect(task.Type).To(Equal("a.b"))
		Expect(send(url, `{"id":"evt_1","type":"a.b"}`)).To(Equal(200))
		late := r.effects(3)[2]
		Expect(late.Detail).To(ContainSubstring("completed"))
		Expect(late.Rows).To(Equal(1))
	})

	It("never lets an answer wait for a slow effect", func() {
		out := &effect{do: func(ctx context.Context, _ int, _ business.Task) error { <-ctx.Done(); return ctx.Err() }}
		r := start(GinkgoTB(), mockreceiver.Config{Effect: out.call})
		url := r.add(mockreceiver.Endpoint{Name: "e", Business: business.Inbox, Plan: mustPlan(GinkgoTB(), "200(work=1h)")})
		stuck := r.add(mockreceiver.Endpoint{Name: "stuck", Business: business.Inbox})
		for i := range 30 { // more than an endpoint has hands
			Expect(send(url, fmt.Sprintf(`{"id":"evt_%d"}`, i))).To(Equal(200))
			Expect(send(stuck, fmt.Sprintf(`{"id":"evt_%d"}`, i))).To(Equal(200))
		}
		Expect(items(r, business.Query{State: business.Completed})).To(BeEmpty())
		Expect(items(r, business.Query{Endpoint: "stuck"})).To(HaveLen(30))
	})

	It("tries again with the same key, and buries what fails for good with its reason", func() {
		out := &effect{do: func(_ context.Context, call int, t business.Task) error {
			switch {
			case t.Event == "evt_bad":
				return errors.New("the ledger does not balance")
			case t.Event == "evt_panic" && call < 3:
				panic("out of paper")
			case call < 3:
				return errors.New("busy")
			}
			return nil
		}}
		r := start(GinkgoTB(), mockreceiver.Config{Effect: out.call})
		url := r.add(mockreceiver.Endpoint{Name: "e", Business: business.Inbox, Worker: quick(business.Worker{Tries: 3})})
		for _, id := range []string{"evt_good", "evt_panic", "evt_bad"} {
			Expect(send(url, `{"id":"`+id+`"}`)).To(Equal(200))
		}
		Eventually(states(r), patience).Should(Equal([]business.State{business.Completed, business.Completed, business.Dead}))
		list := items(r, business.Query{})
		Expect([]int{list[0].Failures, list[0].Tries}).To(Equal([]int{2, 3}))
		Expect(list[1].Failure).To(ContainSubstring("out of paper"))
		Expect([]int{list[2].Failures, list[2].Tries}).To(Equal([]int{3, 3}))
		Expect(list[2].Failure).To(Equal("the ledger does not balance"))
		Expect(items(r, business.Query{State: business.Dead})).To(HaveLen(1))
		Expect(out.calls).To(Equal(map[string]int{"e/evt_good": 3, "e/evt_panic": 3, "e/evt_bad": 3}))
	})

	It("fails on purpose as often as told, and takes up a dead letter again by hand", func() {
		r := start(GinkgoTB(), mockreceiver.Config{})
		url := r.add(mockreceiver.Endpoint{Name: "e", Business: business.Inbox, Worker: quick(business.Worker{Tries: 2, FailFirst: 3})})
		never := r.add(mockreceiver.Endpoint{Name: "never", Business: business.Inbox, Worker: quick(business.Worker{Tries: 2, FailFirst: -1})})
		Expect(send(url, `{"id":"evt_1"}`)).To(Equal(200))
		Expect(send(never, `{"id":"evt_1"}`)).To(Equal(200))
		Eventually(states(r), patience).Should(Equal([]business.State{business.Dead, business.Dead}))
		Expect(items(r, business.Query{})[0].Failure).To(Equal("failed on purpose"))

		Expect(r.RetryDead(1, " ")).To(MatchError(ContainSubstring("give a reason")))
		Expect(r.RetryDead(7, "x")).To(MatchError(ContainSubstring("no dead letter")))
		Expect(r.RetryDead(1, "the printer has paper")).To(Succeed())
		Expect(r.RetryDead(2, "the printer has paper")).To(Succeed())
		Eventually(states(r), patience).Should(Equal([]business.State{business.Completed, business.Dead}))
		list := items(r, business.Query{})
		Expect(list[0].Reason).To(Equal("the printer has paper"))
		Expect([]int{list[0].Retries, list[0].Failures, list[0].Tries}).To(Equal([]int{1, 3, 2}))
		Expect([]int{list[1].Retries, list[1].Failures, list[1].Tries}).To(Equal([]int{1, 4, 2}))
		Expect(r.RetryDead(1, "once more")).To(MatchError(ContainSubstring("no dead letter")), "it is completed")
	})

	It("takes concurrent copies for one event, and equal ids of two tenants for two", func() {
		out := &effect{}
		r := start(GinkgoTB(), mockreceiver.Config{Effect: out.call})
		f := mockreceiver.DefaultFields()
		f.Tenant = "/tenant"
		url := r.add(mockreceiver.Endpoint{Name: "e", Business: business.Inbox, Fields: &f, Plan: mustPlan(GinkgoTB(), "200(copies=16)")})
		for _, tenant := range []string{"a", "b"} {
			Expect(send(url, `{"id":"evt_1","tenant":"`+tenant+`"}`)).To(Equal(200))
		}
		results := map[string]int{}
		for _, e := range r.effects(34) {
			results[e.Result]++
		}
		Expect(results).To(Equal(map[string]int{evidence.EffectQueued: 2, evidence.EffectAbsorbed: 32}))
		Eventually(states(r), patience).Should(Equal([]business.State{business.Completed, business.Completed}))
		Expect(out.calls).To(Equal(map[string]int{"e/a/evt_1": 1, "e/b/evt_1": 1}))
	})

	It("takes up a dead letter that is delivered again by hand, and keeps the reason", func() {
		r := start(GinkgoTB(), mockreceiver.Config{})
		url := r.add(mockreceiver.Endpoint{Name: "e", Business: business.Inbox, Worker: quick(business.Worker{Tries: 1, FailFirst: 1})})
		Expect(send(url, `{"id":"evt_1"}`)).To(Equal(200))
		Eventually(states(r), patience).Should(Equal([]business.State{business.Dead}))
		Expect(send(url, `{"id":"evt_1"}`)).To(Equal(200))
		Expect(states(r)()).To(Equal([]business.State{business.Dead}), "the sender gives no reason")
		_, err := r.Redeliver(context.Background(), 1, "the printer has paper")
		Expect(err).NotTo(HaveOccurred())
		Eventually(states(r), patience).Should(Equal([]business.State{business.Completed}))
		Expect(items(r, business.Query{})[0].Reason).To(Equal("the printer has paper"))
		last := r.effects(3)[2]
		Expect([]string{last.Result, last.Reason}).To(Equal([]string{evidence.EffectQueued, "the printer has paper"}))
		_, err = r.Redeliver(context.Background(), 1, "to be sure")
		Expect(err).NotTo(HaveOccurred())
		Expect(r.effects(4)[3].Result).To(Equal(evidence.EffectAbsorbed))
	})

	It("rolls back an entry that fails, and takes the redelivery", func() {
		r := start(GinkgoTB(), mockreceiver.Config{})
		url := r.add(mockreceiver.Endpoint{Name: "e", Business: business.Inbox, Plan: mustPlan(GinkgoTB(), "business-failure, lost-ack, 200, business-failure")})
		Expect(send(url, `{"id":"evt_1"}`)).To(Equal(500))
		_, _, err := try(client(GinkgoTB()), url, `{"id":"evt_1"}`)
		Expect(err).To(HaveOccurred())
		Expect(send(url, `{"id":"evt_1"}`)).To(Equal(200))
		Expect(send(url, `{"id":"evt_1"}`)).To(Equal(500))
		var results []string
		for _, e := range r.effects(4) {
			results = append(results, e.Result)
		}
		Expect(results).To(Equal([]string{evidence.EffectRolledBack, evidence.EffectQueued, evidence.EffectAbsorbed, evidence.EffectAbsorbed}))
		Expect(r.effects(1)[0].Dedupe).To(BeFalse())
		Eventually(states(r), patience).Should(Equal([]business.State{business.Completed}))
	})

	It("goes on after the receiver was closed in the middle, without counting the try", func() {
		path := filepath.Join(GinkgoTB().TempDir(), "journal.db")
		began := make(chan struct{}, 10)
		hang := &effect{do: func(ctx context.Context, _ int, _ business.Task) error {
			began <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		}}
		r := start(GinkgoTB(), mockreceiver.Config{Journal: path, Effect: hang.call})
		url := r.add(mockreceiver.Endpoint{Name: "e", Business: business.Inbox})
		Expect(send(url, `{"id":"evt_1"}`)).To(Equal(200))
		Eventually(began, patience).Should(Receive())
		Expect(r.Close()).To(Succeed())

		out := &effect{}
		again := start(GinkgoTB(), mockreceiver.Config{Journal: path, Effect: out.call})
		Expect(states(again)()).To(Equal([]business.State{business.Pending}))
		again.add(mockreceiver.Endpoint{Name: "e", Business: business.Inbox, Worker: business.Worker{Tries: 1}})
		Eventually(states(again), patience).Should(Equal([]business.State{business.Completed}))
		Expect(out.seen()[0].IdempotencyKey).To(Equal(hang.seen()[0].IdempotencyKey))
		Expect(out.seen()[0].Try).To(Equal(1))
	})

	It("lets an endpoint go with its tries, and finds them again", func() {
		began := make(chan struct{}, 10)
		out := &effect{do: func(ctx context.Context, call int, _ business.Task) error {
			if call > 1 {
				return nil
			}
			began <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		}}
		r := start(GinkgoTB(), mockreceiver.Config{Effect: out.call})
		e := mockreceiver.Endpoint{Name: "e", Business: business.Inbox}
		Expect(send(r.add(e), `{"id":"evt_1"}`)).To(Equal(200))
		Eventually(began, patience).Should(Receive())
		Expect(r.RemoveEndpoint("e")).To(Succeed())
		Expect(states(r)()).To(Equal([]business.State{business.Pending}))
		r.add(e)
		Eventually(states(r), patience).Should(Equal([]business.State{business.Completed}))
		Expect(r.ResetEndpoint(context.Background(), "e")).To(Succeed())
		Expect(states(r)()).To(BeEmpty())
	})

	It("shows itself over the control API, page by page", func() {
		r := start(GinkgoTB(), mockreceiver.Config{})
		status, answer := r.api("POST", "/v1/endpoints",
			`{"name":"e","plan":"200","business":"inbox","worker":{"tries":1,"backoff":"1ms","fail_first":-1}}`)
		Expect(status).To(Equal(201))
		Expect(answer["worker"]).To(HaveKeyWithValue("backoff", "1ms"))
		for i := range 3 {
			Expect(send(r.DataURL()+"/hooks/e", fmt.Sprintf(`{"id":"evt_%d"}`, i))).To(Equal(200))
		}
		Eventually(states(r), patience).Should(Equal([]business.State{business.Dead, business.Dead, business.Dead}))
		_, answer = r.api("GET", "/v1/inbox?endpoint=e&state=dead&limit=2", "")
		Expect(answer["items"]).To(HaveLen(2))
		Expect(answer["next"]).To(Equal(2.0))
		_, answer = r.api("GET", "/v1/inbox?event=evt_1", "")
		Expect(answer["items"]).To(ConsistOf(HaveKeyWithValue("event", "evt_1")))
		_, answer = r.api("GET", "/v1/events/e/evt_1", "")
		for _, told := range []any{answer["event"], answer["attempts"].([]any)[0].(map[string]any)["effect"]} {
			Expect(told).To(HaveKeyWithValue("inbox", And(HaveKeyWithValue("state", "dead"), HaveKeyWithValue("tries", 1.0), HaveKeyWithValue("failure", "failed on purpose"))))
		}
		_, answer = r.api("GET", "/v1/inbox?endpoint=e&limit=2&after=2", "")
		Expect(answer["items"]).To(HaveLen(1))
		Expect(answer["next"]).To(BeNil())
		_, answer = r.api("GET", "/v1/inbox?state=completed", "")
		Expect(answer["items"]).To(BeEmpty())
		for path, want := range map[string]string{"?state=done": "pending, processing, completed, dead", "?limit=x": "limit", "?colour=red": "colour"} {
			status, answer = r.api("GET", "/v1/inbox"+path, "")
			Expect(status).To(Equal(400))
			Expect(answer["error"]).To(ContainSubstring(want))
		}
		status, _ = r.api("POST", "/v1/inbox/1/retry", `{"reason":"I want to see it"}`)
		Expect(status).To(Equal(204))
		for path, want := range map[string]int{"/v1/inbox/99/retry": 404, "/v1/inbox/x/retry": 404} {
			status, _ = r.api("POST", path, `{"reason":"r"}`)
			Expect(status).To(Equal(want))
		}
		status, answer = r.api("POST", "/v1/inbox/2/retry", `{}`)
		Expect(status).To(Equal(400))
		Expect(answer["error"]).To(ContainSubstring("reason"))
		for _, worker := range []string{`{"tries":-1}`, `{"backoff":"soon"}`, `{"backoff":"1h","max_backoff":"1s"}`} {
			status, answer = r.api("POST", "/v1/endpoints", `{"name":"bad","plan":"200","business":"inbox","worker":`+worker+`}`)
			Expect(status).To(Equal(400))
			Expect(strings.Count(fmt.Sprint(answer["error"]), "\n")).To(BeZero())
		}
	})
})
