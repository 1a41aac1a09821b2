// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/cert"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"libgang.dev/gang/k8sgang/apply"
)

const (
	serviceName   = "libgang-operator" // also of the Secret and of the validating webhooks
	mutatingHooks = "zz-libgang-operator"
	renewBefore   = 60 * 24 * time.Hour // client-go makes certificates for a year
)

// A certificate is that of the webhook. All replicas share it in one Secret, the only one that the
// operator reads. It keeps the webhook configurations: they trust the certificate, and the namespace
// owns them, so that none is left to refuse jobs if only the namespace is deleted.
type certificate struct {
	client    client.Client // without a cache: a cache would read all Secrets
	namespace string
	makes     bool // else the certificate and the trust come from elsewhere
	served    atomic.Pointer[tls.Certificate]
}

// NeedLeaderElection is false: each replica serves the webhook.
func (c *certificate) NeedLeaderElection() bool { return false }

// Start keeps the certificate until the context ends. It implements manager.Runnable.
func (c *certificate) Start(ctx context.Context) error {
	for {
		pause := time.Minute
		if err := c.keep(ctx); err != nil {
			log.FromContext(ctx).Error(err, "the certificate of the webhook")
			pause = time.Second
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

func (c *certificate) serve(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if served := c.served.Load(); served != nil {
		return served, nil
	}
	return nil, errors.New("there is no certificate yet")
}

func (c *certificate) check(*http.Request) (err error) {
	if c.makes {
		_, err = c.serve(nil)
	}
	return err
}

func (c *certificate) keep(ctx context.Context) error {
	var trusted []byte
	if c.makes {
		secret := &corev1.Secret{}
		key := client.ObjectKey{Namespace: c.namespace, Name: serviceName}
		if err := c.client.Get(ctx, key, secret); err != nil {
			return err
		}
		if err := c.renew(ctx, secret); err != nil {
			return err
		}
		trusted = secret.Data["ca.crt"]
	}
	owner := &corev1.Namespace{}
	if err := c.client.Get(ctx, client.ObjectKey{Name: c.namespace}, owner); err != nil {
		return err
	}
	return errors.Join(
		c.adopt(ctx, "MutatingWebhookConfiguration", mutatingHooks, owner, trusted),
		c.adopt(ctx, "ValidatingWebhookConfiguration", serviceName, owner, trusted))
}

// setUp gives it a client without a cache, which would read all Secrets.
func (c *certificate) setUp(m manager.Manager) (err error) {
	c.client, err = client.New(m.GetConfig(), client.Options{Mapper: m.GetRESTMapper()})
	return errors.Join(err, m.Add(c), m.AddReadyzCheck("certificate", c.check))
}

// renew makes a certificate if the Secret has none for long enough. Another replica may do so at the
// same time: then the write is a conflict, and this one reads the Secret again. What was served
// before is trusted further, because other replicas serve it until they read the Secret.
func (c *certificate) renew(ctx context.Context, secret *corev1.Secret) error {
	names := []string{serviceName + "." + c.namespace + ".svc"}
	pair, err := tls.X509KeyPair(secret.Data[corev1.TLSCertKey], secret.Data[corev1.TLSPrivateKeyKey])
	if err != nil || time.Until(pair.Leaf.NotAfter) < renewBefore ||
		pair.Leaf.VerifyHostname(names[0]) != nil {
		made, key, err := cert.GenerateSelfSignedCertKey(names[0], nil, names)
		if err != nil {
			return err
		}
		secret.Data = map[string][]byte{corev1.TLSCertKey: made, corev1.TLSPrivateKeyKey: key,
			"ca.crt": slices.Concat(made, secret.Data[corev1.TLSCertKey])}
		if err := c.client.Update(ctx, secret); err != nil {
			return err
		}
		if pair, err = tls.X509KeyPair(made, key); err != nil {
			return err
		}
	}
	c.served.Store(&pair)
	return nil
}

// adopt keeps one configuration. Without it there is nothing to keep.
func (c *certificate) adopt(ctx context.Context, kind, name string, owner *corev1.Namespace,
	trusted []byte) error {
	hooks := apply.New(gvk("admissionregistration.k8s.io/v1", kind))
	if err := c.client.Get(ctx, client.ObjectKey{Name: name}, hooks); err != nil {
		return client.IgnoreNotFound(err)
	}
	before := hooks.DeepCopy()
	hooks.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "v1", Kind: "Namespace",
		Name: owner.Name, UID: owner.UID}})
	entries, _, _ := unstructured.NestedSlice(hooks.Object, "webhooks")
	for _, entry := range entries {
		if hook, isMap := entry.(map[string]any); isMap && c.makes {
			err := unstructured.SetNestedField(hook, base64.StdEncoding.EncodeToString(trusted),
				"clientConfig", "caBundle")
			if err != nil {
				return err
			}
		}
	}
	hooks.Object["webhooks"] = entries
	if equality.Semantic.DeepEqual(before.Object, hooks.Object) {
		return nil
	}
	return c.client.Update(ctx, hooks)
}
