package mockreceiver

import "time"

// firstByte is what was read of a connection before net/http got it.
type firstByte struct {
	at   time.Time
	text [1]byte
	held bool
}

// await has the connection served once its first byte is here. net/http gives each connection buffers of 8 KB and more before it knows
// whether anything will come: ten thousand that say nothing took 80 MB.
func (c *wireConn) await() {
	if !c.r.begin(&c.r.carried) {
		_ = c.Close() // the receiver closes
		return
	}
	go func() {
		defer c.r.carried.Done()
		c.r.deadline(c, c.r.cfg.HeaderTimeout)
		n, err := c.Conn.Read(c.first.text[:])
		c.first.at, c.first.held = time.Now(), n > 0
		if !c.first.held {
			c.mu.Lock()
			c.missed(err, c.r.since(c.first.at))
			c.mu.Unlock()
			_ = c.Close() // nothing was asked
			return
		}
		// net/http sets a deadline of its own, adds its own goroutine, and returns: there is no second connection.
		_ = c.r.data.Serve(&oneConn{c: c})
	}()
}
