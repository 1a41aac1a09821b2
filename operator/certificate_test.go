// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/cert"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"libgang.dev/gang/k8sgang/apply"
)

var hookKind = gvk("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration")

// verify fails unless an API server that trusts the bundle of the webhook takes the certificate.
func verify(t *testing.T, c *certificate, served *tls.Certificate) {
	t.Helper()
	hooks := apply.New(hookKind)
	if err := c.client.Get(t.Context(), client.ObjectKey{Name: mutatingHooks}, hooks); err != nil {
		t.Fatal(err)
	}
	entries, _, _ := unstructured.NestedSlice(hooks.Object, "webhooks")
	if owners := hooks.GetOwnerReferences(); len(owners) != 1 || owners[0].UID != "namespace-uid" ||
		len(entries) != 2 {
		t.Fatalf("%+v", hooks)
	}
	for _, entry := range entries {
		text, _, _ := unstructured.NestedString(entry.(map[string]any), "clientConfig", "caBundle")
		bundle, err := base64.StdEncoding.DecodeString(text)
		roots, between := x509.NewCertPool(), x509.NewCertPool()
		if err != nil || !roots.AppendCertsFromPEM(bundle) {
			t.Fatalf("%q %v", text, err)
		}
		if _, err := served.Leaf.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between,
			DNSName: "libgang-operator.gangs.svc"}); err != nil {
			t.Error(err)
		}
	}
}

func TestCertificate(t *testing.T) {
	hooks := apply.New(hookKind)
	hooks.SetName(mutatingHooks)
	hooks.Object["webhooks"] = []any{map[string]any{"name": "a", "clientConfig": map[string]any{}},
		map[string]any{"name": "b", "clientConfig": map[string]any{}}}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "gangs", Name: serviceName}}
	writes := 0
	c := &certificate{namespace: "gangs", makes: true, client: fake.NewClientBuilder().
		WithScheme(testScheme(hookKind)).
		WithObjects(hooks, secret, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "gangs",
			UID: "namespace-uid"}}).
		WithInterceptorFuncs(interceptor.Funcs{Update: func(ctx context.Context, one client.WithWatch,
			object client.Object, options ...client.UpdateOption) error {
			writes++
			return one.Update(ctx, object, options...)
		}}).Build()}
	if c.check(nil) == nil {
		t.Error("ready without a certificate")
	}
	keep := func(wanted int) *tls.Certificate {
		t.Helper()
		writes = 0
		if err := c.keep(t.Context()); err != nil || writes != wanted || c.check(nil) != nil {
			t.Fatalf("%d writes, %v", writes, err)
		}
		served, _ := c.serve(nil)
		verify(t, c, served)
		return served
	}
	first := keep(2)
	keep(0)
	// Another replica serves the same one.
	other := &certificate{namespace: "gangs", makes: true, client: c.client}
	if err := other.keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if same, _ := other.serve(nil); !bytes.Equal(same.Leaf.Raw, first.Leaf.Raw) {
		t.Error("another certificate")
	}
	// One of another name is renewed, and replicas that still serve it are trusted.
	if err := c.client.Get(t.Context(), client.ObjectKeyFromObject(secret), secret); err != nil {
		t.Fatal(err)
	}
	text, key, err := cert.GenerateSelfSignedCertKey("other", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	secret.Data[corev1.TLSCertKey], secret.Data[corev1.TLSPrivateKeyKey] = text, key
	if err := c.client.Update(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	second := keep(2)
	if bytes.Equal(second.Leaf.Raw, first.Leaf.Raw) {
		t.Error("not renewed")
	}
	if err := c.client.Get(t.Context(), client.ObjectKeyFromObject(secret), secret); err != nil ||
		!bytes.HasSuffix(secret.Data["ca.crt"], text) {
		t.Error("the former one is not trusted")
	}
}

// Where somebody else makes the certificate, no Secret is read, and the trust stays.
func TestCertificateOfOthers(t *testing.T) {
	hooks := apply.New(hookKind)
	hooks.SetName(mutatingHooks)
	hooks.Object["webhooks"] = []any{map[string]any{"name": "a",
		"clientConfig": map[string]any{"caBundle": "theirs"}}}
	c := &certificate{namespace: "gangs", client: fake.NewClientBuilder().WithScheme(testScheme(hookKind)).
		WithObjects(hooks, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "gangs", UID: "u"}}).
		WithInterceptorFuncs(interceptor.Funcs{Get: func(ctx context.Context, one client.WithWatch,
			key client.ObjectKey, object client.Object, options ...client.GetOption) error {
			if _, isSecret := object.(*corev1.Secret); isSecret {
				t.Error("a Secret is read")
			}
			return one.Get(ctx, key, object, options...)
		}}).Build()}
	if err := c.keep(t.Context()); err != nil || c.check(nil) != nil {
		t.Error(err)
	}
	if err := c.client.Get(t.Context(), client.ObjectKey{Name: mutatingHooks}, hooks); err != nil {
		t.Fatal(err)
	}
	entries, _, _ := unstructured.NestedSlice(hooks.Object, "webhooks")
	text, _, _ := unstructured.NestedString(entries[0].(map[string]any), "clientConfig", "caBundle")
	if text != "theirs" || len(hooks.GetOwnerReferences()) != 1 {
		t.Errorf("%+v", hooks)
	}
}
