package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"
)

// tokenFlag is the token of the receiver's control API, as given.
type tokenFlag string

// tokenVariable holds the token where it must not stand on the command line, which other users of the machine can read.
const tokenVariable = "HOOKASSAY_TOKEN"

// leastToken is the length below which a token can be guessed: 16 characters of base32 are 80 bits.
const leastToken = 16

func (f *tokenFlag) add(fs *pflag.FlagSet) {
	fs.StringVar((*string)(f), "token", "", "token of the control API; empty is that in "+tokenVariable+", or a random one")
}

// read is the token that was given; empty: a random one is to be made.
func (f *tokenFlag) read() (string, error) {
	token, from := string(*f), "--token"
	if token == "" {
		token, from = os.Getenv(tokenVariable), tokenVariable
	}
	if token == "" {
		return "", nil
	}
	if len(token) < leastToken || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", fmt.Errorf("%s: want at least %d printable ASCII characters without spaces", from, leastToken)
	}
	return token, nil
}
