package process

import (
	"context"
	"regexp"
	"time"
)

// Runner starts and ends what a sender runs in: a Process, or containers. It is safe for concurrent use. Whoever makes it calls
// Close.
type Runner interface {
	// Start starts the sender, again after an end on the state that it left, and waits until it is ready.
	Start(ctx context.Context) error
	// Stop asks the sender to end and waits for it. One that had to be killed is an error that wraps ErrForced.
	Stop(ctx context.Context) error
	// Kill ends the sender at once (SIGKILL) and waits for it.
	Kill(ctx context.Context) error
	// Close ends the sender if it runs, and removes what belongs to it alone.
	Close() error
	// Running tells whether the sender runs.
	Running() bool
	// URL is where the sender's API is since the latest start; empty while it does not run, or where nothing says so.
	URL() string
}

var _ Runner = (*Process)(nil)

// Containers says how a sender runs in containers. It stands here, and not beside the code that runs it, so that whoever
// reads it from a file needs no client of Docker.
type Containers struct {
	// Name is what messages call the sender.
	Name string
	// Sender is the container that is stopped, killed and started again.
	Sender Container
	// Port is where the sender's API listens inside of its container; it is published on a free port.
	Port int
	// BasePath is appended to the address of the API: /api/v1, or empty.
	BasePath string
	// Beside are containers that the sender needs, such as its database: started before it in this order, on a network of
	// their own with it, where each is reached by its name. They go on when the sender is stopped or killed.
	Beside []Container
	// Networks are networks that exist already and that all containers are to join.
	Networks []string
	// Host is the name by which the sender reaches the machine of the harness.
	Host string
	// Grace is how long Stop waits before it kills; 10 s if 0.
	Grace time.Duration
}

// Container is one container.
type Container struct {
	// Name is its host name on the network.
	Name string
	// Image is taken from a registry where the machine does not have it. Either it or Build is given.
	Image string
	// Build is how an image is built.
	Build Build
	// Entrypoint and Command replace those of the image, where given.
	Entrypoint, Command []string
	// Env holds NAME=value entries.
	Env []string
	// Files are written before the first start, by their path inside, readable by everybody.
	Files map[string][]byte
	// Volumes are folders inside that are kept over an end, as all that the container writes is, and removed by Close.
	Volumes []string
	// Ready says when it is.
	Ready Ready
}

// Build is how an image is built.
type Build struct {
	// Folder is the context of the build; an absolute path.
	Folder string
	// Dockerfile is the path inside of it; Dockerfile if empty.
	Dockerfile string
	Args       map[string]string
}

// Ready says when a container is ready. The zero value means as soon as it runs.
type Ready struct {
	// Log is matched against each line of output since the start.
	Log *regexp.Regexp
	// HTTP is a path that is asked until it answers with a status below 500, at Port or else at the port of the API.
	HTTP string
	// Port takes connections once the container is ready.
	Port int
	// Within bounds the wait; 60 s if 0.
	Within time.Duration
}
