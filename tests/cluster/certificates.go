// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Certificates are what all servers of a cluster use: one certificate for 127.0.0.1, which is its
// own authority.
type certificates struct {
	folder, certificate, key string // tls.crt and tls.key, as controller managers expect them
	authority                []byte
	pool                     *x509.CertPool
	pair                     tls.Certificate
}

func newCertificates(folder string) (*certificates, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "cluster"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA:        true, BasicConstraintsValid: true,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	encoded, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	c := &certificates{
		folder: folder, certificate: filepath.Join(folder, "tls.crt"),
		key: filepath.Join(folder, "tls.key"), pool: x509.NewCertPool(),
		authority: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: encoded}),
	}
	private := pem.EncodeToMemory(&pem.Block{
		Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	if c.pair, err = tls.X509KeyPair(c.authority, private); err != nil {
		return nil, err
	}
	c.pool.AppendCertsFromPEM(c.authority)
	if err := os.WriteFile(c.certificate, c.authority, 0o600); err != nil {
		return nil, err
	}
	return c, os.WriteFile(c.key, private, 0o600)
}

// readCertificates reads those that a client needs.
func readCertificates(authority []byte) (*certificates, error) {
	c := &certificates{authority: authority, pool: x509.NewCertPool()}
	if !c.pool.AppendCertsFromPEM(authority) {
		return nil, errors.New("no certificate")
	}
	return c, nil
}
