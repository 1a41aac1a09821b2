// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"libgang.dev/gang/k8sgang"
)

// settings are those of the configuration file. A flag takes the place of the file's value.
type settings struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`

	Mode              string        `yaml:"mode"`
	NamespaceSelector string        `yaml:"namespaceSelector"` // where the mode Enforce holds
	ReportedRules     []string      `yaml:"reportedRules"`     // for whose jobs it does not hold
	Kinds             []string      `yaml:"kinds"`             // of jobs; none: every kind
	Backends          []string      `yaml:"backends"`          // that the policy enables; none: all
	Policy            string        `yaml:"policy"`            // the name of the GangPolicy or ConfigMap
	Cluster           string        `yaml:"cluster"`           // the name of the GangCluster
	Namespace         string        `yaml:"namespace"`         // of the operator
	WakeInterval      time.Duration `yaml:"wakeInterval"`
	Metrics           string        `yaml:"metrics"` // an address; 0: none
	Health            string        `yaml:"health"`
	Webhook           struct {
		Host         string `yaml:"host"`
		Port         int    `yaml:"port"`
		Certificates string `yaml:"certificates"` // a folder; none: the operator makes one
	} `yaml:"webhook"`
	Client struct {
		QPS   float32 `yaml:"qps"`
		Burst int     `yaml:"burst"`
	} `yaml:"client"`
}

const (
	modeReport, modeEnforce = "Report", "Enforce"
	settingsVersion         = "operator.libgang.dev/v1alpha1"
	settingsKind            = "OperatorConfiguration"
)

// readSettings reads the command line and the file that it names.
func readSettings(arguments []string) (*settings, error) {
	s := &settings{Mode: modeReport, Policy: "gang-policy", Cluster: "cluster",
		Namespace: "libgang-system", WakeInterval: 30 * time.Second, Metrics: "0", Health: ":8081"}
	s.Webhook.Port, s.Client.QPS, s.Client.Burst = 9443, 200, 400
	flags := flag.NewFlagSet("operator", flag.ContinueOnError)
	flag.VisitAll(func(known *flag.Flag) { flags.Var(known.Value, known.Name, known.Usage) })
	file := flags.String("config", "", "the configuration file; flags take the place of its values")
	flags.StringVar(&s.Mode, "mode", s.Mode,
		"Report: plan and report, mark and write nothing; Enforce: make the gangs")
	flags.StringVar(&s.NamespaceSelector, "namespaces", "",
		"a label selector of the namespaces where the mode Enforce holds; in others it is Report")
	flags.StringVar(&s.Policy, "policy", s.Policy, "the GangPolicy; if there is none, the ConfigMap")
	flags.StringVar(&s.Cluster, "cluster", s.Cluster,
		"the GangCluster with facts that discovery cannot find")
	flags.StringVar(&s.Namespace, "namespace", s.Namespace, "of the operator and the ConfigMap")
	flags.StringVar(&s.Webhook.Host, "webhook-host", "", "the address of the webhook; empty: all")
	flags.IntVar(&s.Webhook.Port, "webhook-port", s.Webhook.Port, "the port of the webhook")
	flags.StringVar(&s.Webhook.Certificates, "certificates", "",
		"a folder with tls.crt and tls.key; empty: the operator makes and renews a certificate")
	flags.StringVar(&s.Metrics, "metrics", s.Metrics, "the address of the metrics; 0: none")
	flags.StringVar(&s.Health, "health", s.Health, "the address of /readyz and /healthz; 0: none")
	flags.DurationVar(&s.WakeInterval, "wake-interval", s.WakeInterval,
		"how often a gang that waits for room is woken where its scheduler sleeps, "+
			"at most ten of a kind in a second")
	err := flags.Parse(arguments)
	if err == nil && *file != "" {
		if err = s.readFile(*file); err == nil {
			err = flags.Parse(arguments) // over the values of the file
		}
	}
	return s, cmp.Or(err, s.check())
}

// readFile reads the one document of a file. An unknown field, or one that is given twice, is an
// error with its line.
func (s *settings) readFile(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	err = decoder.Decode(s)
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: there is no document", name)
	}
	if err == nil && !errors.Is(decoder.Decode(&yaml.Node{}), io.EOF) {
		err = errors.New("there is more than one document")
	}
	if err == nil && (s.APIVersion != settingsVersion || s.Kind != settingsKind) {
		err = fmt.Errorf("apiVersion %q, kind %q: must be %s, %s", s.APIVersion, s.Kind,
			settingsVersion, settingsKind)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// check reports everything that is wrong at once.
func (s *settings) check() error {
	var wrong []error
	if s.Mode != modeReport && s.Mode != modeEnforce {
		wrong = append(wrong, fmt.Errorf("mode: %q is neither %s nor %s", s.Mode, modeReport,
			modeEnforce))
	}
	if _, err := labels.Parse(s.NamespaceSelector); err != nil {
		wrong = append(wrong, fmt.Errorf("namespaceSelector: %w", err))
	}
	for _, kind := range s.Kinds {
		if !slices.Contains(kindNames(), kind) {
			wrong = append(wrong, fmt.Errorf("kinds: %q is none of %s", kind,
				strings.Join(kindNames(), ", ")))
		}
	}
	if _, err := k8sgang.Kinds(s.Backends...); err != nil {
		wrong = append(wrong, fmt.Errorf("backends: %w", err))
	}
	if s.WakeInterval < 0 {
		wrong = append(wrong, fmt.Errorf("wakeInterval: %v must not be negative; 0: no gang is woken",
			s.WakeInterval))
	}
	if s.Policy == "" || s.Namespace == "" {
		wrong = append(wrong, errors.New("policy, namespace: must not be empty"))
	}
	return errors.Join(wrong...)
}

// acts makes the function that tells where gangs are made.
func (s *settings) acts(reader client.Reader) func(context.Context, string) bool {
	selector, _ := labels.Parse(s.NamespaceSelector) // it was checked
	return func(ctx context.Context, name string) bool {
		if s.Mode == modeReport || selector.Empty() {
			return s.Mode == modeEnforce
		}
		namespace := &corev1.Namespace{}
		err := reader.Get(ctx, client.ObjectKey{Name: name}, namespace)
		return err == nil && selector.Matches(labels.Set(namespace.Labels))
	}
}
