package mockreceiver

import (
	"embed"
	"fmt"
	"net/http"
)

//go:embed openapi.json
var openapiFile embed.FS

// OpenAPI is the description of the control API, OpenAPI 3.0 in JSON. The receiver serves it at /openapi.json.
func OpenAPI() []byte {
	text, err := openapiFile.ReadFile("openapi.json")
	if err != nil {
		panic(fmt.Sprintf("read the embedded API description: %v", err)) // whoever built the program left it out
	}
	return text
}

func (c control) openapi(*http.Request) (int, any, error) {
	return http.StatusOK, jsonAnswer(OpenAPI()), nil
}
