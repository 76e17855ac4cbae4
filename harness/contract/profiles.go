package contract

import (
	"embed"
	"fmt"
	"slices"
	"strings"
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

// Profile returns a contract that comes with the program, fresh on each call. The error of an unknown name lists the
// known ones.
func Profile(name string) (*Contract, error) {
	text, err := ProfileText(name)
	if err != nil {
		return nil, err
	}
	return Parse(name+profileExt, text)
}

// ProfileText returns the file of a contract that comes with the program, with its comments. Its error is that of Profile.
func ProfileText(name string) ([]byte, error) {
	if !slices.Contains(Profiles(), name) {
		return nil, fmt.Errorf("contract profile %q is unknown; known are %s", name, strings.Join(Profiles(), ", "))
	}
	text, err := profileFiles.ReadFile("profiles/" + name + profileExt)
	if err != nil {
		return nil, fmt.Errorf("read embedded profile %s: %w", name, err)
	}
	return text, nil
}
