package mockreceiver

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metricsHandler serves the series in Prometheus's text forms.
func (c control) metricsHandler() http.Handler {
	serve := promhttp.HandlerFor(c.r.meter.metrics.registry, promhttp.HandlerOpts{})
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if !c.r.begin(&c.r.handlers) {
			writeError(w, errClosing)
			return
		}
		defer c.r.handlers.Done()
		serve.ServeHTTP(w, req)
	})
}
