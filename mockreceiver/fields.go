package mockreceiver

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookassay/hookassay/mockreceiver/business"
)

// Fields are JSON pointers to what a body tells of its event. Empty ones are not looked for.
type Fields struct {
	Type    string `json:"type,omitempty"`
	Created string `json:"created,omitempty"` // RFC 3339, or unix time in seconds or milliseconds
	Object  string `json:"object,omitempty"`  // the id of what the event is about
	Version string `json:"version,omitempty"` // the object's; only whole numbers have an order
	// Tenant makes equal ids of two tenants two events. Without it the endpoint is the tenant.
	Tenant string `json:"tenant,omitempty"`
}

// DefaultFields are the places that bounded-6 and Standard Webhooks suggest.
func DefaultFields() Fields {
	return Fields{Type: "/type", Created: "/created", Object: "/data/id", Version: "/data/version"}
}

// list is in the order in which event reads the values.
func (f Fields) list() []string { return []string{f.Type, f.Created, f.Object, f.Version, f.Tenant} }

// about finds what a body tells of its event.
type about struct {
	values *pointers // nil: nothing is looked for
	tenant bool      // a tenant is
}

func newAbout(f Fields) about {
	if f == (Fields{}) {
		return about{}
	}
	return about{newPointers(f.list()...), f.Tenant != ""}
}

// maxField is how much of a value is kept as it is: an id in the wild has up to 64 characters. What is longer is known by its
// digest.
const maxField = 256

// event makes the event that the business side is to handle. id is its id in the sender's words, or what stands for it.
func (e *endpoint) event(id string, body []byte) business.Event {
	w := business.Event{Endpoint: e.Name, Key: id, Mode: e.Business}
	if e.about.values == nil {
		return w
	}
	found := e.about.values.find(body)
	for i, v := range found {
		if len(v) > maxField {
			sum := sha256.Sum256([]byte(v))
			found[i] = "sha256:" + hex.EncodeToString(sum[:])
		}
	}
	kind, tenant := found[0], found[4]
	if e.about.tenant {
		w.Key = url.QueryEscape(tenant) + "/" + id // what is escaped holds no slash, so that no two pairs meet
	}
	w.Type = kind
	w.Ignored = !e.knows(kind)
	w.Object = business.Object{
		Tenant: tenant, Resource: kind[:max(0, strings.LastIndexByte(kind, '.'))],
		ID: found[2], Version: found[3], Created: timeOf(found[1]),
	}
	return w
}

// knows tells whether the subscriber knows a type of event.
func (e *endpoint) knows(kind string) bool {
	return len(e.Types) == 0 || slices.ContainsFunc(e.Types, func(t string) bool {
		resource, all := strings.CutSuffix(t, "*")
		return t == kind || all && strings.HasPrefix(kind, resource) && len(kind) > len(resource)
	})
}

// timeOf reads a time; the zero one if it is none.
func timeOf(text string) time.Time {
	n, err := strconv.ParseInt(text, 10, 64) // first, since to fail is costly for time.Parse
	if err != nil {
		t, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return time.Time{}
		}
		return t
	}
	switch {
	case n <= 0:
		return time.Time{}
	case n < firstMilli:
		return time.Unix(n, 0)
	default:
		return time.UnixMilli(n)
	}
}

// firstMilli tells seconds from milliseconds: as seconds it lies in the year 5138, as milliseconds in 1973.
const firstMilli = 100_000_000_000
