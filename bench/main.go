// Command bench measures the receiver against a bare net/http handler. bench/receiver.sh runs it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		args = []string{"compare"}
	}
	switch args[0] {
	case "compare":
		return compare(ctx, args[1:], os.Stdout)
	case "growth":
		return growth(ctx, args[1:], os.Stdout)
	case "hostile":
		return hostile(ctx, args[1:], os.Stdout)
	case "serve":
		return serve(ctx, args[1:], os.Stdin, os.Stdout)
	default:
		return fmt.Errorf("%q: want compare, growth, hostile or serve", args[0])
	}
}
