package reports

import (
	"embed"
	"slices"
	"strings"
)

//go:embed schema/*.schema.json
var schemas embed.FS

const schemaSuffix = ".schema.json"

// SchemaNames returns the names of the files whose JSON Schema is published, sorted.
func SchemaNames() []string {
	var names []string
	files, _ := schemas.ReadDir("schema") // embedded: it is there
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), schemaSuffix))
	}
	slices.Sort(names)
	return names
}

// JSONSchema returns the published schema of a name; nil if there is none of that name.
func JSONSchema(name string) []byte {
	text, err := schemas.ReadFile("schema/" + name + schemaSuffix)
	if err != nil {
		return nil
	}
	return text
}
