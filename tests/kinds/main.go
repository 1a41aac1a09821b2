// SPDX-License-Identifier: Apache-2.0

// Command kinds makes random jobs and asks the code of their operators, and Kueue, which pods each
// of them has. README.md describes whom it asks, and how the answers are compared with libgang's.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/go-logr/logr"
	"github.com/sirupsen/logrus"
)

// kind is one kind of job: how to make a random document, and whom to ask about it.
type kind struct {
	name   string
	make   func(random) object
	ask    func(object) *answer
	askAll func([]object) []*answer // instead of ask, where a batch is much faster
	source string
	named  func(object) // what depends on the name of the object; nil: nothing
}

var kinds []kind

// peers returns jobs for which an operator's own gang is wrong; nil without the tag "spark".
var peers func() []any

// orderProgram is the path of the program that runs JobSet's reconciler.
var orderProgram string

func register(one kind) { kinds = append(kinds, one) }

type choice struct {
	seed   uint64
	cases  int
	first  int
	only   string
	record string
	queued bool
	moment bool
	byHand bool
}

func (c *choice) chosen() []kind {
	if c.only == "" {
		return kinds
	}
	var some []kind
	for _, one := range kinds {
		for _, name := range strings.Split(c.only, ",") {
			if one.name == name {
				some = append(some, one)
			}
		}
	}
	return some
}

func main() {
	var chosen choice
	// The fake clientsets of mpi-operator do not know the newer protocol of client-go.
	utilruntime.Must(os.Setenv("KUBE_FEATURE_WatchListClient", "false"))
	flag.Uint64Var(&chosen.seed, "seed", 1, "seed of the random objects")
	flag.IntVar(&chosen.cases, "cases", 5000, "objects of each kind")
	flag.IntVar(&chosen.first, "first", 0, "number of the first object")
	flag.StringVar(&chosen.only, "kinds", "", "kinds, separated by commas (default: all)")
	flag.StringVar(&chosen.record, "record", ".", "folder to write objects and answers to")
	flag.BoolVar(&chosen.queued, "webhooks", false, "ask Kueue's webhooks about jobs with a queue")
	flag.BoolVar(&chosen.moment, "moments", false, "run JobSets from moment to moment")
	flag.BoolVar(&chosen.byHand, "written", false, "write jobs in YAML as people do")
	flag.StringVar(&crdFolder, "crds", "crds", "folder of the CRDs")
	flag.StringVar(&orderProgram, "order", "order", "the program order")
	flag.Parse()

	klog.SetLogger(logr.Discard())
	ctrl.SetLogger(logr.Discard())
	logrus.SetOutput(io.Discard)
	write := record
	if chosen.queued {
		write = recordWebhooks
	}
	if chosen.moment {
		write = recordMoments
	}
	if chosen.byHand {
		write = recordWritten
	}
	if err := write(&chosen); err != nil {
		fmt.Fprintln(os.Stderr, "kinds:", err)
		os.Exit(1)
	}
}

// objectsOf makes the objects of a kind and asks about each.
func objectsOf(one kind, chosen *choice) ([]object, []*answer) {
	objects := make([]object, chosen.cases)
	for i := range objects {
		index := chosen.first + i
		objects[i] = one.make(newRandom(chosen.seed, one.name, index))
		metadata := objects[i]["metadata"].(object)
		metadata["name"] = fmt.Sprintf("%s-%d", metadata["name"], index)
		if one.named != nil {
			one.named(objects[i])
		}
	}
	return objects, one.answers(objects)
}

func (k kind) answers(objects []object) []*answer {
	if k.askAll != nil {
		return k.askAll(objects)
	}
	answers := make([]*answer, len(objects))
	for i := range objects {
		answers[i] = k.ask(objects[i])
	}
	return answers
}
