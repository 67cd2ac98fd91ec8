package server

import (
	"net"
	"net/http"
	"slices"
	"strings"
)

// policy is what a page of ours may load: only what is served here, and nothing
// inline. HOST stands for the name that was asked for: not every browser counts
// a WebSocket to it as 'self'.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self' ws://HOST; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard refuses requests for a host that is not listed, before anything else
// sees them, and gives every answer the headers that keep the page to itself.
func guard(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		host := strings.ToLower(r.Host)
		if !listed(hosts, host) {
			h.Set("Content-Security-Policy", "default-src 'none'")
			http.Error(w, "This server is not known by that name.", http.StatusForbidden)
			return
		}
		h.Set("Content-Security-Policy", strings.ReplaceAll(policy, "HOST", host))
		next.ServeHTTP(w, r)
	})
}

// listed tells whether a request's host is one of those listed, each with its
// port. A browser leaves out the port that its scheme has anyway.
func listed(hosts []string, host string) bool {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return slices.Contains(hosts, host)
	}
	name := strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return slices.Contains(hosts, net.JoinHostPort(name, "80")) || slices.Contains(hosts, net.JoinHostPort(name, "443"))
}
