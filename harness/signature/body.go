package signature

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// document is a JSON body, decoded when a scheme first asks for a value of it.
type document struct {
	root any
	err  error
	read bool
}

// at returns the decoded body. Numbers keep their tokens.
func (d *document) at(body []byte) (any, error) {
	if d.read {
		return d.root, d.err
	}
	d.read = true
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if d.err = dec.Decode(&d.root); d.err == nil && len(bytes.TrimSpace(body[dec.InputOffset():])) > 0 {
		d.err = errors.New("more than one value")
	}
	return d.root, d.err
}

// find resolves a JSON pointer; nil where nothing is there.
func find(root any, pointer string) any {
	for name := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch v := root.(type) {
		case map[string]any:
			root = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			root = v[i]
		default:
			return nil
		}
	}
	return root
}

// scalarText is a JSON value as schemes sign it: texts without their quotes, numbers by their token, what is absent as nothing.
func scalarText(root any, pointer string) (string, error) {
	switch v := find(root, pointer).(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case bool:
		return strconv.FormatBool(v), nil
	}
	return "", fmt.Errorf("%s is no single value", pointer)
}

// bodyValue is the text of a value of the body, or of the item that is looked at.
func (s *Scheme) bodyValue(m *material, pointer string) (string, Finding) {
	root := m.item
	if root == nil {
		var err error
		if root, err = m.doc.at(m.req.Body); err != nil {
			return "", Finding{Reason: MalformedBody, Detail: "the body is no JSON, in which " + pointer + " is looked for"}
		}
	}
	text, err := scalarText(root, pointer)
	if err != nil {
		return "", Finding{Reason: MalformedBody, Detail: err.Error()}
	}
	return text, Finding{}
}

// readBodySignatures makes a claim of the signature in the body, or of that of each item.
func (s *Scheme) readBodySignatures(w *work, r *reading) Finding {
	root, err := r.doc.at(r.req.Body)
	if err != nil {
		return Finding{Reason: MalformedBody, Detail: "the body is no JSON, in which the signature is looked for"}
	}
	items := []any{root}
	if each := s.rec.Carrier.Each; each != "" {
		items, _ = find(root, each).([]any)
		switch {
		case len(items) == 0:
			return Finding{Reason: MissingHeader, Detail: "the body has no items at " + each}
		case len(items) > maxItems:
			return malformed("the body", fmt.Sprintf("%d items; %d are looked at", len(items), maxItems))
		}
	}
	for i, item := range items {
		text, err := scalarText(item, s.rec.Carrier.BodyPointer)
		switch {
		case err != nil:
			return Finding{Reason: MalformedBody, Detail: err.Error()}
		case text == "":
			return Finding{Reason: MissingHeader, Detail: fmt.Sprintf("item %d of the body has no signature at %s", i, s.rec.Carrier.BodyPointer)}
		}
		from := len(w.sums)
		if problem := s.decode(w, s.rec.Encoding, s.rec.Digest, text); problem != "" {
			r.encodingDetail = fmt.Sprintf("the signature of item %d %s", i, problem)
		}
		w.list = append(w.list, claim{digest: s.rec.Digest, item: item, sums: w.sums[from:], what: fmt.Sprintf("item %d", i)})
	}
	return Finding{}
}
