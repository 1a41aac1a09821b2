// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
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

// A factSource makes the GangCluster from discovery and listers. It is made again after a while, so
// that a job that lacked a fact is planned soon after the cluster has it.
type factSource struct {
	source k8sgang.ClusterSource
	reader client.Reader // of the CRD, without a cache
	// The resourceVersion of the CRD that was read last.
	crdVersion string
	lock       sync.Mutex
	made       time.Time
	facts      *gang.Document
}

func newFactSource(ctx context.Context, clients kubernetes.Interface,
	reader client.Reader) (*factSource, error) {
	all := informers.NewSharedInformerFactory(clients, 0)
	source := &factSource{reader: reader, source: k8sgang.ClusterSource{
		Name: "cluster", Discovery: clients.Discovery(),
		Namespaces:      all.Core().V1().Namespaces().Lister(),
		LimitRanges:     all.Core().V1().LimitRanges().Lister(),
		PriorityClasses: all.Scheduling().V1().PriorityClasses().Lister(),
		RuntimeClasses:  all.Node().V1().RuntimeClasses().Lister(),
	}}
	all.Start(ctx.Done())
	for kind, synced := range all.WaitForCacheSync(ctx.Done()) {
		if !synced {
			return nil, fmt.Errorf("no list of %s", kind)
		}
	}
	return source, nil
}

// readPodFields reads which marks the CRD of JobSet keeps: an older one drops schedulingGroup
// silently. Where the CRD cannot be read, that is unknown.
func (s *factSource) readPodFields(ctx context.Context) {
	if s.reader == nil {
		return
	}
	key := client.ObjectKey{Name: "jobsets." + jobSetKind.Group}
	seen := &metav1.PartialObjectMetadata{}
	seen.SetGroupVersionKind(crdKind)
	err := s.reader.Get(ctx, key, seen)
	if err == nil && seen.ResourceVersion == s.crdVersion {
		return
	}
	s.crdVersion, s.source.PodTemplateFields = "", nil
	crd := newObject(crdKind)
	if err == nil {
		err = s.reader.Get(ctx, key, crd)
	}
	if err != nil {
		log.FromContext(ctx).Error(err, "it is unknown which fields the CRD of JobSet keeps")
		return
	}
	s.crdVersion, s.source.PodTemplateFields = crd.GetResourceVersion(), k8sgang.KeptPodFields(crd)
}

// current keeps the last facts if the server cannot answer now.
func (s *factSource) current(ctx context.Context) (*gang.Document, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if time.Since(s.made) < 10*time.Second {
		return s.facts, nil
	}
	s.readPodFields(ctx)
	if facts, err := k8sgang.Cluster(s.source); err == nil {
		s.facts, s.made = facts, time.Now()
	} else if s.facts == nil {
		return nil, err
	}
	return s.facts, nil
}
