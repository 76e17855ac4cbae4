package contract

// NewSecret makes a signing key in the form that the contract's scheme wants, from random bytes; 32 are enough for every
// scheme. Without a promise of signatures it is empty.
func (c *Contract) NewSecret(random []byte) (string, error) {
	if c.Signature == nil {
		return "", nil
	}
	s, err := c.Signature.Lookup()
	if err != nil {
		return "", err
	}
	return s.Secret(random)
}
