package mockreceiver

import (
	"crypto/tls"
	"fmt"
	"io"
	"os"
)

// maxPEM bounds a file with a certificate or a key. A chain of ten takes some 20 KiB; a device could be read without end.
const maxPEM = 1 << 20

// loadPair reads a certificate and its key.
func loadPair(files TLS) (tls.Certificate, error) {
	cert, err := readPEM(files.CertFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := readPEM(files.KeyFile)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(cert, key)
}

func readPEM(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxPEM+1))
	_ = f.Close() // it was only read
	if err == nil && len(text) > maxPEM {
		err = fmt.Errorf("%s is larger than %d bytes: give a PEM file", path, maxPEM)
	}
	return text, err
}
