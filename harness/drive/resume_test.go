package drive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hookassay/hookassay/harness/drive"
	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/mockreceiver"
	"github.com/hookassay/hookassay/mockreceiver/fault"
)

var errStop = errors.New("interrupted by signal: test")

var _ = Describe("a run that was interrupted", func() {
	var (
		s     *patientSender
		state string
		file  bytes.Buffer
	)
	emits := func(ctx context.Context, st *drive.Stage) error {
		e, err := st.Endpoint(ctx, drive.EndpointSpec{})
		if err != nil {
			return err
		}
		p, err := fault.Parse("502, 200")
		if err != nil {
			return err
		}
		_, err = st.Emit(ctx, drive.Emission{Endpoint: e, Type: "a.b", Data: json.RawMessage(`{}`), Plan: p})
		return err
	}
	// Of these the first is over when the run is interrupted, the second waits, the third acts, and the fourth has not begun.
	scenarios := func(again bool) []drive.Scenario {
		watch := time.Hour
		if again {
			watch = time.Millisecond
		}
		return []drive.Scenario{
			{Name: "is/over", Play: emits, Watch: time.Millisecond},
			{Name: "is/waiting", Play: emits, Watch: watch},
			{Name: "is/acting", Watch: time.Millisecond, Play: func(ctx context.Context, st *drive.Stage) error {
				if err := emits(ctx, st); err != nil || again {
					return err
				}
				<-ctx.Done()
				return context.Cause(ctx)
			}},
			{Name: "is/unbegun", Play: emits, Watch: time.Millisecond, Alone: true},
		}
	}
	begin := func(ctx context.Context) *evidence.Run {
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		r, err := drive.Drive(ctx, drive.Setup{
			Header: evidence.Header{Seed: 1}, Scenarios: scenarios(false), Launcher: s, Evidence: &file, State: state,
			Progress: func(p drive.Progress) {
				if p.Done == 1 && p.Until > time.Minute && p.Emitted == 3 {
					cancel(errStop)
				}
			},
		})
		Expect(err).NotTo(HaveOccurred())
		return r
	}
	resume := func(ctx context.Context) (*evidence.Run, error) {
		u, err := evidence.ReadUnfinished(bytes.NewReader(file.Bytes()))
		Expect(err).NotTo(HaveOccurred())
		return drive.Drive(ctx, drive.Setup{
			Scenarios: scenarios(true), Launcher: s, State: state, Resume: u,
			Evidence: writerFunc(func(b []byte) (int, error) {
				if u != nil {
					file.Truncate(int(u.Size)) // as the caller does before the first record
					u = nil
				}
				return file.Write(b)
			}),
		})
	}
	BeforeEach(func() {
		file.Reset()
		state = GinkgoT().TempDir()
		s = &patientSender{}
	})

	It("is gone on with where each scenario stood", func(ctx SpecContext) {
		first := begin(ctx)
		Expect(first.Complete()).To(BeFalse())
		Expect(s.left).To(BeNumerically(">", 0))
		r, err := resume(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Complete()).To(BeTrue())

		Expect(r.Header.Started).To(BeTemporally("==", first.Header.Started))
		gaps := r.Interruptions()
		Expect(gaps).To(HaveLen(1))
		Expect(gaps[0].Why).To(Equal(errStop.Error()))
		Expect(gaps[0].To).To(BeNumerically(">", gaps[0].From))

		Expect(r.Scenarios).To(HaveLen(4))
		for _, sc := range r.Scenarios {
			Expect(sc.NotRun).To(BeEmpty(), sc.Name)
			Expect(sc.Ended).To(BeNumerically(">", sc.From), sc.Name)
		}
		attempts := map[string][]int{}
		conns := map[[2]int64]bool{}
		for _, a := range r.Attempts {
			attempts[a.Endpoint] = append(attempts[a.Endpoint], a.Attempt)
			if a.Attempt == 2 {
				Expect(a.Outcome.Status).To(Equal(200), "the plan goes on at its second step")
				Expect(a.FirstByte).To(BeNumerically(">", gaps[0].To))
			}
			at := [2]int64{a.Conn.ID, int64(a.Conn.Request)}
			Expect(conns).NotTo(HaveKey(at), "connections are numbered on")
			conns[at] = true
		}
		Expect(attempts).To(HaveKeyWithValue("is.over", []int{1, 2}))
		Expect(attempts).To(HaveKeyWithValue("is.waiting", []int{1, 2}))
		Expect(attempts).To(HaveKeyWithValue("is.acting.again1", []int{1}))
		Expect(attempts).To(HaveKeyWithValue("is.unbegun", []int{1}))
		Expect(attempts).NotTo(HaveKey("is.acting"), "what was cut is no part of the run")

		stored, err := evidence.Read(bytes.NewReader(file.Bytes()))
		Expect(err).NotTo(HaveOccurred())
		Expect(stored.Footer.SHA256).To(Equal(r.Footer.SHA256))
		Expect(stored.Attempts).To(HaveLen(len(r.Attempts)))
		Expect(file.String()).To(ContainSubstring(`"endpoint":"is.acting"`), "the file has it all the same")
	})

	It("is gone on with although it ended without a word", func(ctx SpecContext) {
		begin(ctx)
		lines := bytes.SplitAfter(file.Bytes(), []byte("\n"))
		cut := slices.IndexFunc(lines, func(l []byte) bool { return bytes.Contains(l, []byte(`"act":"down"`)) })
		file.Truncate(len(bytes.Join(lines[:cut], nil)))
		file.WriteString(`{"n":`) // the line that was being written
		r, err := resume(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Complete()).To(BeTrue())
		Expect(r.Interruptions()).To(HaveLen(1))
		Expect(r.Interruptions()[0].Why).To(ContainSubstring("without a word"))
	})

	It("is gone on with although it ended before the sender was told of an endpoint", func(ctx SpecContext) {
		begin(ctx)
		lines := bytes.SplitAfter(file.Bytes(), []byte("\n"))
		made := slices.IndexFunc(lines, func(l []byte) bool {
			return bytes.Contains(l, []byte(`"kind":"endpoint"`)) && bytes.Contains(l, []byte(`"name":"is.acting"`))
		})
		Expect(made).To(BeNumerically(">", 0))
		file.Truncate(len(bytes.Join(lines[:made+1], nil)))
		r, err := resume(ctx)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Complete()).To(BeTrue())
		for _, sc := range r.Scenarios {
			Expect(sc.NotRun).To(BeEmpty(), sc.Name)
		}
		Expect(r.Troubles).To(BeEmpty())
	})

	It("can be gone on with once more after one of its senders did not come back", func(ctx SpecContext) {
		all := &launchedSenders{dead: "b", others: make(chan struct{}), made: map[string]*oneSender{}}
		watched := make(chan struct{}) // is/one is
		list := []drive.Scenario{
			{Name: "is/one", Instance: "a", Play: emits, Watch: time.Hour},
			{Name: "is/other", Instance: "b", Watch: 2 * time.Hour, Play: func(ctx context.Context, st *drive.Stage) error {
				<-watched
				return emits(ctx, st)
			}},
		}
		first := sync.OnceFunc(func() { close(watched) })
		stop, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		_, err := drive.Drive(stop, drive.Setup{
			Header: evidence.Header{Seed: 1}, Scenarios: list, Launcher: all, Evidence: &file, State: state,
			Progress: func(p drive.Progress) {
				if p.Until > 90*time.Minute {
					cancel(errStop)
				} else if p.Until > 0 {
					first()
				}
			},
		})
		Expect(err).NotTo(HaveOccurred())
		u, err := evidence.ReadUnfinished(&file)
		Expect(err).NotTo(HaveOccurred())

		r, err := drive.Drive(ctx, drive.Setup{Scenarios: list, Launcher: all, State: state, Resume: u, Evidence: io.Discard})
		var failed *drive.LaunchError
		Expect(errors.As(err, &failed)).To(BeTrue(), "%v", err)
		Expect(failed.Instance).To(Equal("b"))
		Expect(all.made["a"].left).To(Equal(2), "it keeps its state both times")
		Expect(all.made["a"].closed).To(BeZero())
		last := r.Acts[len(r.Acts)-1]
		Expect(last.Act).To(Equal(evidence.ActDown))
		Expect(last.Note).To(ContainSubstring("its port is taken"))
	})

	It("is left as it is where it cannot be gone on with", func(ctx SpecContext) {
		began := begin(ctx).Header.Started
		before := file.String()
		refused := func(part string) {
			GinkgoHelper()
			_, err := resume(ctx)
			Expect(err).To(MatchError(ContainSubstring(part)))
			Expect(file.String()).To(Equal(before))
		}
		other, err := mockreceiver.New(mockreceiver.Config{Journal: filepath.Join(state, "journal.db"), Quick: true})
		Expect(err).NotTo(HaveOccurred())
		refused("goes on in another process")
		Expect(other.Close()).To(Succeed())

		var at struct{ Listen string }
		text, err := os.ReadFile(filepath.Join(state, "receiver.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(json.Unmarshal(text, &at)).To(Succeed())
		taken, err := net.Listen("tcp", at.Listen)
		Expect(err).NotTo(HaveOccurred())
		refused("where the sender knows us")
		Expect(taken.Close()).To(Succeed())

		s.keeps = errors.New("nobody keeps it")
		refused("nobody keeps it")
		s.keeps = nil

		anchored := func(at time.Time) string {
			stamp := func(t time.Time) string { return t.Format(time.RFC3339Nano) }
			return strings.Replace(before, stamp(began), stamp(at), 1)
		}
		for part, at := range map[string]time.Time{"can be bridged": began.Add(-2 * time.Hour), "set back": began.Add(time.Hour)} {
			file.Reset()
			// Without its footer, whose digest is that of the file as it was.
			text := anchored(at)
			file.WriteString(text[:strings.LastIndex(strings.TrimSpace(text), "\n")+1])
			_, err := resume(ctx)
			Expect(err).To(MatchError(ContainSubstring(part)))
		}
	})
})

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }
