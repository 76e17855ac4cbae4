package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hookassay/hookassay/harness/signature"
)

// floor is what a server must reach, against the bare one of the same round.
type floor struct {
	mode      string
	rate, p99 float64 // of the bare handler's; 0: not checked
	of        string  // the bare handler; empty: bare
}

func (f floor) bare() string {
	if f.of == "" {
		return bare
	}
	return f.of
}

func floors() []floor {
	return []floor{
		{mode: bare},
		{mode: durable, rate: 0.30, p99: 2},
		{mode: business, rate: 0.22, p99: 2},
		{mode: memory, rate: 0.60, p99: 3},
		{mode: bareH2, of: bareH2}, // these two for information
		{mode: durableH2, of: bareH2},
	}
}

// compare runs all servers in turn, several rounds, and prints the medians. It fails below the floors.
func compare(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("compare", flag.ContinueOnError)
	rounds := fs.Int("rounds", 5, "how often each server has its turn")
	seconds := fs.Duration("time", 2*time.Second, "how long each turn is measured")
	warm := fs.Duration("warm", 500*time.Millisecond, "how long each turn is warmed up")
	modes := fs.String("modes", "", "only these, comma-separated")
	prof := fs.String("profile", "", "directory for CPU profiles of the servers")
	if err := fs.Parse(args); err != nil {
		return err
	}
	sign, err := signature.Lookup(scheme)
	if err != nil {
		return err
	}
	// 150 000 a second is beyond what two cores answer.
	r, err := newRequests(sign, int((*seconds+*warm).Seconds()*150_000))
	if err != nil {
		return err
	}
	list := chosen(floors(), *modes)
	shots := map[string][]shot{}
	for range *rounds {
		for _, f := range list {
			r.next.Store(0)
			s, err := turn(ctx, f.mode, *prof, r, span{warm: *warm, measure: *seconds})
			if err != nil {
				return fmt.Errorf("%s: %w", f.mode, err)
			}
			shots[f.mode] = append(shots[f.mode], s)
		}
	}
	return judge(out, list, shots)
}

// chosen are the floors of the modes named, with the bare handlers that those are measured by.
func chosen(all []floor, names string) []floor {
	if names == "" {
		return all
	}
	wanted := strings.Split(names, ",")
	var with []string
	for _, f := range all {
		if slices.Contains(wanted, f.mode) {
			with = append(with, f.mode, f.bare())
		}
	}
	return slices.DeleteFunc(all, func(f floor) bool { return !slices.Contains(with, f.mode) })
}

// turn starts a server, loads it and stops it.
func turn(ctx context.Context, mode, prof string, r *requests, l span) (shot, error) {
	dir, err := os.MkdirTemp("", "hookassay-bench-")
	if err != nil {
		return shot{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system clears it otherwise
	args := []string{"-mode", mode, "-journal", filepath.Join(dir, "journal.db")}
	if prof != "" {
		args = append(args, "-cpuprofile", filepath.Join(prof, mode+".prof"))
	}
	s, err := launch(ctx, args...)
	if err != nil {
		return shot{}, err
	}
	send := load
	if overH2(mode) {
		send = loadH2
	}
	got, err := send(ctx, s.data, r, l)
	err = errors.Join(err, s.stop())
	if used := s.cmd.ProcessState; used != nil && got.answers > 0 {
		all := float64(got.answers) * float64(l.warm+l.measure) / float64(l.measure)
		got.cpu = time.Duration(float64(used.UserTime()+used.SystemTime()) / all)
	}
	return got, err
}

// server is a running server process.
type server struct {
	cmd                  *exec.Cmd
	in                   io.Closer
	data, control, token string
}

func launch(ctx context.Context, args ...string) (*server, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &server{cmd: exec.CommandContext(ctx, exe, append([]string{"serve"}, args...)...)}
	s.cmd.Stderr = os.Stderr
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("server printed no address: %w", err), s.stop())
	}
	if _, err := fmt.Sscan(line, &s.data, &s.control, &s.token); err != nil {
		return nil, errors.Join(fmt.Errorf("server printed %q: %w", line, err), s.stop())
	}
	return s, nil
}

func (s *server) stop() error { return errors.Join(s.in.Close(), s.cmd.Wait()) }

func judge(out io.Writer, list []floor, shots map[string][]shot) error {
	var errs []error
	fmt.Fprintf(out, "%-10s %10s %8s %10s %10s %8s %8s\n", "", "answers/s", "of bare", "p50", "p99", "of bare", "CPU each")
	for _, f := range list {
		rate := median(shots[f.mode], func(i int) float64 { return shots[f.mode][i].rate })
		ratio := median(shots[f.mode], func(i int) float64 { return shots[f.mode][i].rate / shots[f.bare()][i].rate })
		p50 := median(shots[f.mode], func(i int) float64 { return float64(shots[f.mode][i].p50) })
		p99 := median(shots[f.mode], func(i int) float64 { return float64(shots[f.mode][i].p99) })
		cpu := median(shots[f.mode], func(i int) float64 { return float64(shots[f.mode][i].cpu) })
		tail := median(shots[f.mode], func(i int) float64 { return float64(shots[f.mode][i].p99) / float64(shots[f.bare()][i].p99) })
		fmt.Fprintf(out, "%-10s %10.0f %8.2f %10s %10s %8.2f %8s\n", f.mode, rate, ratio,
			time.Duration(p50).Round(10*time.Microsecond), time.Duration(p99).Round(10*time.Microsecond), tail,
			time.Duration(cpu).Round(time.Microsecond))
		if f.rate > 0 && ratio < f.rate {
			errs = append(errs, fmt.Errorf("%s: %.2f of the bare handler's rate, want %.2f at least", f.mode, ratio, f.rate))
		}
		if f.p99 > 0 && tail > f.p99 {
			errs = append(errs, fmt.Errorf("%s: p99 is %.2f times the bare handler's, want %.0f at most", f.mode, tail, f.p99))
		}
	}
	return errors.Join(errs...)
}

// median is the middle of what of gives for each round; one round that the machine spoilt does not count.
func median(rounds []shot, of func(i int) float64) float64 {
	values := make([]float64, len(rounds))
	for i := range rounds {
		values[i] = of(i)
	}
	slices.Sort(values)
	return values[len(values)/2]
}
