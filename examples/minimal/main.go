// Command minimal is about the smallest webhook sender that keeps its word. It stands for yours: hookassay knows it only by
// adapter.yaml and contract.yaml. It forgets everything when it ends, so its contract promises nothing of crashes.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

type endpoint struct{ URL, Secret string }

var endpoints sync.Map // endpoint by id

func main() {
	waits := flag.String("waits", "1000,20000,60000,100000", "milliseconds before each attempt")
	timeout := flag.Int("timeout", 20000, "milliseconds for one request")
	flag.Parse()
	client := &http.Client{
		Timeout:       time.Duration(*timeout) * time.Millisecond,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	http.HandleFunc("POST /endpoints", func(w http.ResponseWriter, r *http.Request) {
		var e endpoint
		if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		id := "ep_" + rand.Text()
		endpoints.Store(id, e)
		fmt.Fprintf(w, `{"id": %q}`, id)
	})
	http.HandleFunc("POST /events", func(w http.ResponseWriter, r *http.Request) {
		var event struct {
			Endpoint, Type string
			Data           json.RawMessage
		}
		err := json.NewDecoder(r.Body).Decode(&event)
		to, ok := endpoints.Load(event.Endpoint)
		if err != nil || !ok {
			http.Error(w, "no such endpoint", http.StatusBadRequest)
			return
		}
		id := "evt_" + rand.Text()
		body := fmt.Appendf(nil, `{"id":%q,"type":%q,"data":%s}`, id, event.Type, event.Data)
		go deliver(client, to.(endpoint), id, body, strings.Split(*waits, ","))
		fmt.Fprintf(w, `{"id": %q}`, id)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ready http://%s\n", l.Addr())
	log.Fatal(http.Serve(l, nil))
}

// deliver tries until the receiver answers 2xx, refuses the event for good, or the waits are used up.
func deliver(client *http.Client, to endpoint, id string, body []byte, waits []string) {
	for _, wait := range waits {
		ms, _ := strconv.Atoi(wait)
		time.Sleep(time.Duration(ms) * time.Millisecond)
		t := strconv.FormatInt(time.Now().Unix(), 10)
		mac := hmac.New(sha256.New, []byte(to.Secret))
		mac.Write([]byte(t + "." + string(body)))
		r, _ := http.NewRequest(http.MethodPost, to.URL, bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Webhook-Id", id)
		r.Header.Set("X-Webhook-Signature", fmt.Sprintf("t=%s,v1=%x", t, mac.Sum(nil)))
		answer, err := client.Do(r)
		if err != nil {
			continue // a timeout or a broken connection: try again
		}
		answer.Body.Close()
		if s := answer.StatusCode; s < 500 && s != http.StatusTooManyRequests {
			return // delivered, or refused for good
		}
	}
}
