package signature

import (
	"crypto"
	"crypto/md5"  //nolint:gosec // md5 and sha1 are what some senders sign with; a verifier does not choose
	"crypto/sha1" //nolint:gosec // see md5
	"crypto/sha256"
	"crypto/sha512"
	"hash"
)

// Digests by their names in records.
const (
	digestMD5    = "md5"
	digestSHA1   = "sha1"
	digestSHA256 = "sha256"
	digestSHA384 = "sha384"
	digestSHA512 = "sha512"
)

func digestNames() []string {
	return []string{digestMD5, digestSHA1, digestSHA256, digestSHA384, digestSHA512}
}

// newHash returns the maker of a digest. A record with another name does not compile.
func newHash(name string) func() hash.Hash {
	switch name {
	case digestMD5:
		return md5.New
	case digestSHA1:
		return sha1.New
	case digestSHA384:
		return sha512.New384
	case digestSHA512:
		return sha512.New
	}
	return sha256.New
}

// digestSize is the length of a digest in bytes.
func digestSize(name string) int {
	switch name {
	case digestMD5:
		return md5.Size
	case digestSHA1:
		return sha1.Size
	case digestSHA384:
		return sha512.Size384
	case digestSHA512:
		return sha512.Size
	}
	return sha256.Size
}

// cryptoHash is the same for the standard library's signatures.
func cryptoHash(name string) crypto.Hash {
	switch name {
	case digestMD5:
		return crypto.MD5
	case digestSHA1:
		return crypto.SHA1
	case digestSHA384:
		return crypto.SHA384
	case digestSHA512:
		return crypto.SHA512
	}
	return crypto.SHA256
}
