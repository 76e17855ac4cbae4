package contract

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/hookassay/hookassay/internal/near"
)

//go:embed profiles/*.yaml
var profileFiles embed.FS

const profileExt = ".yaml"

// Profiles returns the names of the contracts that come with the program, sorted.
func Profiles() []string {
	entries, err := profileFiles.ReadDir("profiles")
	if err != nil {
		panic(fmt.Sprintf("read the embedded profiles: %v", err))
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), profileExt))
	}
	return names
}

// Profile returns a contract that comes with the program, fresh on each call. The error of an unknown name has the one
// that was probably meant.
func Profile(name string) (*Contract, error) {
	text, err := ProfileText(name)
	if err != nil {
		return nil, err
	}
	return Parse(name+profileExt, text)
}

// ProfileText returns the file of a contract that comes with the program, with its comments. Its error is that of Profile.
func ProfileText(name string) ([]byte, error) {
	if names := Profiles(); !slices.Contains(names, name) {
		return nil, fmt.Errorf("contract profile %q is unknown%s; hookassay list profiles names them", name, near.Meant(name, names))
	}
	text, err := profileFiles.ReadFile("profiles/" + name + profileExt)
	if err != nil {
		return nil, fmt.Errorf("read embedded profile %s: %w", name, err)
	}
	return text, nil
}
