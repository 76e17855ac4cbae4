package reports

import (
	"cmp"
	"slices"
	"time"

	"github.com/hookassay/hookassay/harness/evidence"
	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/internal/words"
)

// mark is something that the harness did, or that befell the sender, while an event was on its way.
type mark struct {
	Label     string
	Act       evidence.ActKind
	At, Until time.Duration // call and return
	Line      int
}

// maxMarks keeps a drawing readable; the evidence has all acts.
const maxMarks = 8

// marksOf returns the marks of each timeline, by its index.
func marksOf(w words.Texts, run *evidence.Run, ts []judge.Timeline) map[int][]mark {
	scenarios := map[string]*evidence.Scenario{}
	for i := range run.Scenarios {
		scenarios[run.Scenarios[i].Name] = &run.Scenarios[i]
	}
	var acts []*evidence.Act
	for i := range run.Acts {
		if label(run.Acts[i].Act) != "" {
			acts = append(acts, &run.Acts[i])
		}
	}
	out := map[int][]mark{}
	for i, t := range ts {
		for _, a := range acts {
			if !concerns(a, t, scenarios[t.Scenario]) || len(out[i]) == maxMarks {
				continue
			}
			m := mark{Label: w.Text(label(a.Act)), Act: a.Act, At: a.Called, Until: a.Returned, Line: a.N}
			if !a.OK() {
				m.Label += w.Text("act.failed")
			}
			out[i] = append(out[i], m)
		}
		slices.SortStableFunc(out[i], func(a, b mark) int { return cmp.Compare(a.At, b.At) })
	}
	return out
}

// concerns tells whether an act lies on a timeline: of the sender's process by its instance, all others by what they name.
func concerns(a *evidence.Act, t judge.Timeline, s *evidence.Scenario) bool {
	if a.Called < t.Emitted {
		return false
	}
	if ofProcess(a.Act) && a.Instance != "" && s != nil && s.Instance != "" {
		// After the watch, a shared process is other scenarios' business.
		return a.Instance == s.Instance && (a.Scenario == t.Scenario || s.WatchUntil <= 0 || a.Called <= s.WatchUntil)
	}
	return a.Scenario == t.Scenario && (a.Endpoint == "" || a.Endpoint == t.Endpoint) && (a.Marker == "" || a.Marker == t.Marker)
}

func ofProcess(a evidence.ActKind) bool {
	switch a { //nolint:exhaustive // the others are not the process's
	case evidence.ActLaunch, evidence.ActStart, evidence.ActStop, evidence.ActKill, evidence.ActExit, evidence.ActClock:
		return true
	}
	return false
}

// label is the key of what a drawing calls an act; empty for what it leaves out.
func label(a evidence.ActKind) string {
	switch a {
	case evidence.ActKill:
		return "act.killed"
	case evidence.ActExit:
		return "act.ended"
	case evidence.ActStop:
		return "act.stopped"
	case evidence.ActStart:
		return "act.started"
	case evidence.ActLaunch:
		return "act.launched"
	case evidence.ActRotate:
		return "act.rotated"
	case evidence.ActRevoke:
		return "act.revoked"
	case evidence.ActDisable:
		return "act.disabled"
	case evidence.ActEnable:
		return "act.enabled"
	case evidence.ActDelete:
		return "act.deleted"
	case evidence.ActClock:
		return "act.clock"
	case evidence.ActDown:
		return "act.down"
	case evidence.ActUp:
		return "act.up"
	case evidence.ActChange:
		return "act.changed"
	case evidence.ActReplan:
		return "act.replanned"
	case evidence.ActReplay, evidence.ActReplayRange:
		return "act.replay"
	case evidence.ActEmit, evidence.ActRegister, evidence.ActEmitRolledBack, evidence.ActReadEndpoint, evidence.ActReadDead,
		evidence.ActCount, evidence.ActWatch, evidence.ActAgain:
		return ""
	}
	return ""
}

// killed tells whether an attempt was in flight when the sender was killed or ended, and was cut by that.
func killed(a judge.TimelineAttempt, marks []mark) bool {
	if a.Ending != evidence.EndPeerGone && a.Ending != "unknown" {
		return false
	}
	return slices.ContainsFunc(marks, func(m mark) bool {
		return (m.Act == evidence.ActKill || m.Act == evidence.ActExit) && a.Start <= m.Until && a.End >= m.At
	})
}
