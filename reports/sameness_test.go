package reports_test

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hookassay/hookassay/harness/judge"
	"github.com/hookassay/hookassay/reports"
)

// A failing run shows its failures in all views, and as many of them.
func TestEveryViewShowsTheSameFailures(t *testing.T) {
	for name, in := range inputs() {
		res := reports.Build(in)
		want := 0
		var failed []judge.Verdict
		for _, v := range res.Verdicts {
			if v.Outcome == judge.Fail && v.Known == "" {
				want++
				failed = append(failed, v)
			}
		}
		wrong := 0
		for _, k := range res.Known {
			if k.Problem != "" {
				wrong++
			}
		}
		page := html.UnescapeString(string(render(t, format(t, "html"), in)))
		md := string(render(t, format(t, "markdown"), in))
		junit := render(t, format(t, "junit"), in)
		ctrf := render(t, format(t, "ctrf"), in)
		for _, v := range failed {
			for view, text := range map[string]string{"html": page, "junit": string(junit), "ctrf": string(ctrf), "markdown": strings.ReplaceAll(md, `\`, "")} {
				if !strings.Contains(text, v.Check) || !strings.Contains(text, v.Scenario) && !strings.Contains(text, strings.ReplaceAll(v.Scenario, "/", `.`)) &&
					!strings.Contains(text, v.Scenario[strings.IndexByte(v.Scenario, '/')+1:]) {
					t.Errorf("input%s: %s does not show %s in %s", name, view, v.Check, v.Scenario)
				}
			}
		}
		var suites suite
		if err := xml.Unmarshal(junit, &suites); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Results struct{ Summary struct{ Failed int } }
		}
		if err := json.Unmarshal(ctrf, &doc); err != nil {
			t.Fatal(err)
		}
		if want+wrong == 0 {
			continue // the run itself may be what is not green there
		}
		known := res.Counts.Known
		got := map[string]int{
			"results.json": res.Counts.Fail - known + wrong, "junit.xml": suites.Failures, "ctrf.json": doc.Results.Summary.Failed,
			"report.html": number(t, page, `fail(?: \(\d+ known\))?</a><b>(\d+)</b>`) - known + wrong,
		}
		if want > 0 {
			got["summary.md"] = number(t, md, `: (\d+) fail`) - known + wrong
			got["badge.json"] = number(t, string(render(t, format(t, "badge"), in)), `"(\d+) failure`)
		}
		for view, n := range got {
			if n != want+wrong {
				t.Errorf("input%s: %s shows %d failures, want %d", name, view, n, want+wrong)
			}
		}
	}
}

func number(t *testing.T, text, pattern string) int {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("nothing matches %s", pattern)
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// junitForm is what the later schema of Jenkins, junit-10.xsd, allows: attributes (a star: required) and elements of each element.
// Attributes are text, except those of surefire's time. The earlier one is a file: see TestJUnitIsValidByThePublishedSchema.
var junitForm = map[string]struct{ attrs, elements []string }{
	"testsuites": {[]string{"name", "time", "tests", "failures", "errors"}, []string{"testsuite"}},
	"testsuite": {
		[]string{"name*", "tests*", "failures*", "errors*", "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
		[]string{"testsuite", "properties", "testcase", "system-out", "system-err"},
	},
	"properties": {nil, []string{"property"}},
	"property":   {[]string{"name*", "value*"}, nil},
	"testcase": {
		[]string{"name*", "time", "classname", "group"},
		[]string{"skipped", "error", "failure", "rerunFailure", "rerunError", "flakyFailure", "flakyError", "system-out", "system-err"},
	},
	"failure": {[]string{"type", "message"}, nil}, "error": {[]string{"type", "message"}, nil}, "skipped": {[]string{"type", "message"}, nil},
	"system-out": {nil, nil}, "system-err": {nil, nil},
}

var surefireTime = regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$`)

func TestJUnitKeepsTheLaterSchemaToo(t *testing.T) {
	for name, in := range inputs() {
		d := xml.NewDecoder(strings.NewReader(string(render(t, format(t, "junit"), in))))
		var path []string
		for {
			tok, err := d.Token()
			if err != nil {
				break
			}
			switch x := tok.(type) {
			case xml.EndElement:
				path = path[:len(path)-1]
			case xml.StartElement:
				for _, problem := range junitProblems(path, x) {
					t.Errorf("input%s: in %s: %s", name, strings.Join(path, "/"), problem)
				}
				path = append(path, x.Name.Local)
			}
		}
	}
}

func junitProblems(path []string, x xml.StartElement) []string {
	form, ok := junitForm[x.Name.Local]
	if !ok {
		return []string{"no element is called " + x.Name.Local}
	}
	var out []string
	if len(path) == 0 && x.Name.Local != "testsuites" {
		out = append(out, "begins with "+x.Name.Local)
	}
	if len(path) > 0 && !slices.Contains(junitForm[path[len(path)-1]].elements, x.Name.Local) {
		out = append(out, x.Name.Local+" must not be there")
	}
	there := map[string]string{}
	for _, a := range x.Attr {
		there[a.Name.Local] = a.Value
		if !slices.Contains(form.attrs, a.Name.Local) && !slices.Contains(form.attrs, a.Name.Local+"*") {
			out = append(out, x.Name.Local+" has no attribute "+a.Name.Local)
		}
	}
	for _, a := range form.attrs {
		if n, required := strings.CutSuffix(a, "*"); required && there[n] == "" {
			out = append(out, x.Name.Local+" lacks "+n)
		}
	}
	if x.Name.Local != "testcase" && !surefireTime.MatchString(there["time"]) {
		out = append(out, "time "+there["time"])
	}
	return out
}
