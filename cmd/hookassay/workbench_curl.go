package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/hookassay/hookassay/harness/signature"
)

// curlSource reads a curl command as browsers, documentation and this program's receiver write them: words of a POSIX shell with its
// quotes, and nothing that a shell would have to run. Files that it names are not read.
func curlSource(text []byte) (*source, error) {
	words, err := shellWords(string(text))
	if err != nil {
		return nil, err
	}
	words, stdin, err := piped(words)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || words[0] != "curl" {
		return nil, errors.New("does not begin with curl")
	}
	c := curlCommand{stdin: stdin}
	if err := c.read(words[1:]); err != nil {
		return nil, err
	}
	return c.source()
}

// piped takes off the front that hands curl a body in base64, as the receiver writes it.
func piped(words []string) (rest []string, stdin []byte, err error) {
	front := []string{"printf", "%s", "", "|", "base64", "-d", "|"}
	if len(words) <= len(front) {
		return words, nil, nil
	}
	for i, w := range front {
		if w != "" && words[i] != w {
			return words, nil, nil
		}
	}
	stdin, err = base64.StdEncoding.DecodeString(words[2])
	if err != nil {
		return nil, nil, errors.New("what it hands to base64 -d is no base64")
	}
	return words[len(front):], stdin, nil
}

type curlCommand struct {
	stdin   []byte
	method  string
	url     string
	fields  [][2]string
	body    []byte
	hasBody bool
}

// curlValued are options with a value that change nothing of what is signed.
func curlValued() []string {
	return []string{
		"-o", "--output", "-m", "--max-time", "--connect-timeout", "--cacert", "--resolve", "--connect-to", "-w", "--write-out", "--retry",
		"-x", "--proxy", "-b", "--cookie", "-u", "--user", "-E", "--cert", "--key", "--request-target",
	}
}

func (c *curlCommand) read(words []string) error {
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, value, joined := word, "", false
		switch {
		case strings.HasPrefix(word, "--"):
			name, value, joined = strings.Cut(word, "=")
		case len(word) > 2 && word[0] == '-' && strings.ContainsRune("XHdAe", rune(word[1])):
			name, value, joined = word[:2], word[2:], true
		}
		if !strings.HasPrefix(word, "-") || word == "-" {
			c.url = word
			continue
		}
		if !c.valued(name) {
			continue // -s, -i, --compressed and their like
		}
		if !joined {
			if i++; i == len(words) {
				return fmt.Errorf("curl's option %s has no value", name)
			}
			value = words[i]
		}
		if err := c.option(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (c *curlCommand) valued(name string) bool {
	known := []string{
		"-X", "--request", "-H", "--header", "-d", "--data", "--data-raw", "--data-ascii", "--data-binary", "--data-urlencode", "--json", "--url",
		"-A", "--user-agent", "-e", "--referer", "-F", "--form", "-T", "--upload-file",
	}
	return slices.Contains(known, name) || slices.Contains(curlValued(), name)
}

func (c *curlCommand) option(name, value string) error {
	switch name {
	case "-X", "--request":
		c.method = value
	case "-H", "--header":
		field, text, ok := strings.Cut(value, ":")
		if !ok {
			field, ok = strings.CutSuffix(value, ";") // how curl sends an empty one
		}
		if ok && (strings.TrimSpace(text) != "" || strings.HasSuffix(value, ";")) {
			c.fields = append(c.fields, [2]string{strings.TrimSpace(field), strings.TrimSpace(text)})
		}
	case "-A", "--user-agent":
		c.fields = append(c.fields, [2]string{"User-Agent", value})
	case "--url":
		c.url = value
	case "--json":
		c.fields = append(c.fields, [2]string{"Content-Type", "application/json"})
		return c.data(name, value)
	case "-d", "--data", "--data-raw", "--data-ascii", "--data-binary":
		return c.data(name, value)
	case "--data-urlencode", "-F", "--form", "-T", "--upload-file":
		return fmt.Errorf("curl's option %s is not understood here; hand the body in by --body", name)
	}
	return nil
}

func (c *curlCommand) data(name, value string) error {
	body := []byte(value)
	if strings.HasPrefix(value, "@") && name != "--data-raw" {
		if value != "@-" || c.stdin == nil {
			return fmt.Errorf("its body is in a file, %s; hand it in by --body", strconv.QuoteToASCII(value))
		}
		body = c.stdin
	}
	if c.hasBody && name != "--json" {
		c.body = append(c.body, '&')
	}
	c.body, c.hasBody = append(c.body, body...), true
	return nil
}

func (c *curlCommand) source() (*source, error) {
	if c.method == "" {
		c.method = http.MethodGet
		if c.hasBody {
			c.method = http.MethodPost
		}
	}
	typed := slices.ContainsFunc(c.fields, func(f [2]string) bool { return strings.EqualFold(f[0], "Content-Type") })
	if c.hasBody && !typed {
		c.fields = append(c.fields, [2]string{"Content-Type", "application/x-www-form-urlencoded"}) // as curl adds it
	}
	return &source{req: signature.Request{Method: c.method, URL: c.url, Fields: c.fields, Body: c.body}}, nil
}
