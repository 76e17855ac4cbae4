package handshake

import (
	"fmt"

	"github.com/hookassay/hookassay/internal/near"
)

// Kinds lists all handshakes, by name.
func Kinds() []Kind {
	return []Kind{
		cloudEvents(), discord(), discordInteractions(), gitHub(), intercom(), meta(), slack(), twitch(), webSub(), zoom(),
	}
}

// Lookup finds a handshake by its name.
func Lookup(name string) (*Kind, error) {
	var names []string
	for _, k := range Kinds() {
		if k.Name == name {
			return &k, nil
		}
		names = append(names, k.Name)
	}
	return nil, fmt.Errorf("handshake %q is unknown%s; hookassay list handshakes names them", name, near.Meant(name, names))
}
