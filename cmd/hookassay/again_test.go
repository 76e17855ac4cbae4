package main

import (
	"os/exec"
	"testing"
)

// TestQuotedWordsSurviveAShell asks a real shell.
func TestQuotedWordsSurviveAShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here")
	}
	for _, word := range []string{"", "plain-1.yaml", "two words", "it's", "$HOME `x` \"y\" \\", "retry/*", "-c", "a\nb", "{é}", "~", "#", "a=b;c"} {
		out, err := exec.CommandContext(t.Context(), sh, "-c", "printf %s "+quote(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q is quoted as %s, which the shell reads as %q (%v)", word, quote(word), out, err)
		}
	}
}
