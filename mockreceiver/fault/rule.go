package fault

// Rule is a plan for the requests that an expression matches. Its steps are counted by rule and event.
type Rule struct {
	// Match is a jq expression over the request that gives true or false; see package match for what it is given.
	Match string `json:"match"`
	Plan  Plan   `json:"plan"`
}
