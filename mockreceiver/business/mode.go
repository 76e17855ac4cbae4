package business

// Mode says how an endpoint handles events, and so what its 2xx stands for.
type Mode string

// The modes.
const (
	Transaction Mode = "transaction" // the effect is local and committed before the 2xx
	Inbox       Mode = "inbox"       // the event is in a durable inbox; a worker handles it after the 2xx
	None        Mode = "none"        // the request is recorded, and that is all
)

// Modes returns all modes.
func Modes() []Mode { return []Mode{Transaction, Inbox, None} }
