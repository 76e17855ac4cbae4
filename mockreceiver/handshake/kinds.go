package handshake

import "fmt"

// Kinds lists all handshakes, by name.
func Kinds() []Kind {
	return []Kind{
		cloudEvents(), discord(), discordInteractions(), gitHub(), intercom(), meta(), slack(), twitch(), webSub(), zoom(),
	}
}

// Lookup finds a handshake by its name.
func Lookup(name string) (*Kind, error) {
	for _, k := range Kinds() {
		if k.Name == name {
			return &k, nil
		}
	}
	return nil, fmt.Errorf("handshake %q: there is none of that name (hookassay list handshakes)", name)
}
