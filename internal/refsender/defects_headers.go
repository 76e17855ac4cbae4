package refsender

const hdrCustomOverridesSigned defect = "hdr-custom-overrides-signed"

// headerDefects are bugs in the headers that an endpoint asks for.
func headerDefects() []Defect {
	return []Defect{{
		Name: string(hdrCustomOverridesSigned), MustFail: "wire.headers", MayAlso: company("sig.verifies", "id.stable"),
		Title: "an endpoint's own headers replace the sender's",
	}}
}
