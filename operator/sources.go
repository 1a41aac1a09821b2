// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"libgang.dev/gang"
	"libgang.dev/gang/k8sgang"
)

const policyKey = "policy.yaml" // the entry of the ConfigMap

// A policySource reads the GangPolicy in a ConfigMap. An invalid policy is reported, and the last
// valid one stays in force. Without a valid policy there is no plan, and the webhook refuses: a job
// must not run as if the administrator had decided nothing.
type policySource struct {
	name   types.NamespacedName
	reader client.Reader // with a cache: a plan costs no request
	events events.EventRecorder
	lock   sync.Mutex
	seen   string // the resourceVersion that was parsed last
	valid  *gang.Document
	wrong  error // about the policy that was parsed last
}

func (s *policySource) current(ctx context.Context) (*gang.Document, error) {
	config := &corev1.ConfigMap{}
	err := s.reader.Get(ctx, s.name, config)
	s.lock.Lock()
	defer s.lock.Unlock()
	if err == nil && config.ResourceVersion != s.seen {
		s.seen, s.wrong = config.ResourceVersion, s.take(ctx, config)
	}
	if s.valid == nil {
		return nil, fmt.Errorf("ConfigMap %s has no valid GangPolicy: %w", s.name,
			errors.Join(err, s.wrong))
	}
	return s.valid, nil
}

// take does not close the former policy, because a plan may be in the making with it.
func (s *policySource) take(ctx context.Context, config *corev1.ConfigMap) error {
	policy, err := k8sgang.ParseYAML([]byte(config.Data[policyKey]))
	if err == nil && policy.Type() != gang.DocumentPolicy {
		err = fmt.Errorf("a %s instead of a GangPolicy", policy.Kind())
	}
	if err != nil {
		log.FromContext(ctx).Error(err, "the policy is invalid, the last valid one stays in force")
		s.events.Eventf(config, nil, corev1.EventTypeWarning, "InvalidGangPolicy", "Parse",
			"%.900s", err.Error())
		return err
	}
	s.valid = policy
	log.FromContext(ctx).Info("the policy is in force", "policy", policy.Stamp())
	return nil
}
