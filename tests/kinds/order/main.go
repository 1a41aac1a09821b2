// SPDX-License-Identifier: Apache-2.0

// Command order answers, for each JobSet that it reads, in which order JobSet's own reconciler
// creates the roles, and how many pods of each JobSet's own webhook lets in before any has a node.
// With -moments it answers what the operator creates from moment to moment until the JobSet ends.
// It is a program of its own because Kueue and JobSet register the same feature gate.
//
// It reads one defaulted JobSet for each line and writes one answer for each line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/managedfields"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/controllers"
)

type answer struct {
	// After: role, other role, the status that the other one must have.
	After map[string]map[string]string `json:"after"`
	// First: the pods of a role that the webhook lets in at once.
	First map[string]int32 `json:"first"`
}

var background = context.Background()

func main() {
	moments := flag.Bool("moments", false, "run each JobSet to its end")
	flag.Parse()
	klog.SetLogger(logr.Discard())
	ctrl.SetLogger(logr.Discard())
	admission := newAdmission()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	output := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(output)
	for number := 0; lines.Scan(); number++ {
		set := &jobset.JobSet{}
		utilruntime.Must(json.Unmarshal(lines.Bytes(), set))
		set.Spec.ManagedBy = nil
		admission.mustAccept(set)
		if *moments {
			utilruntime.Must(encoder.Encode(courseOf(set, admission, number)))
			continue
		}
		set.Spec.Suspend = nil
		jobs := jobsOf(set)
		utilruntime.Must(encoder.Encode(answer{orderOf(set, jobs), admission.first(jobs)}))
	}
	utilruntime.Must(lines.Err())
	utilruntime.Must(output.Flush())
}

// ---- the operator on a fake client ----

var scheme = func() *runtime.Scheme {
	all := runtime.NewScheme()
	// Not all of Kubernetes: a fake client goes over the whole scheme at each update.
	utilruntime.Must(batchv1.AddToScheme(all))
	utilruntime.Must(corev1.AddToScheme(all))
	utilruntime.Must(jobset.AddToScheme(all))
	return all
}()

// indexes lets the operator register its indexes with a builder of fake clients.
type indexes struct{ builder *fake.ClientBuilder }

func (i indexes) IndexField(_ context.Context, object client.Object, field string,
	extract client.IndexerFunc) error {
	i.builder.WithIndex(object, field, extract)
	return nil
}

func newCluster(set *jobset.JobSet, jobs []*batchv1.Job) client.Client {
	// Without a converter of its own each client reads the schema of all kinds of Kubernetes.
	builder := fake.NewClientBuilder().WithScheme(scheme).WithObjects(set.DeepCopy()).
		WithTypeConverters(managedfields.NewDeducedTypeConverter()).
		WithStatusSubresource(&jobset.JobSet{}, &batchv1.Job{})
	for _, job := range jobs {
		builder.WithObjects(job)
	}
	utilruntime.Must(controllers.SetupJobSetIndexes(background, indexes{builder}))
	return builder.Build()
}

// reconcile runs the operator once and returns the Jobs that exist then, by role.
func reconcile(set *jobset.JobSet, jobs []*batchv1.Job) map[string][]*batchv1.Job {
	cluster := newCluster(set, jobs)
	reconciler := controllers.NewJobSetReconciler(cluster, scheme, events.NewFakeRecorder(1000))
	key := types.NamespacedName{Namespace: set.Namespace, Name: set.Name}
	_, err := reconciler.Reconcile(background, ctrl.Request{NamespacedName: key})
	utilruntime.Must(err)
	list := &batchv1.JobList{}
	utilruntime.Must(cluster.List(background, list))
	byRole := map[string][]*batchv1.Job{}
	for i := range list.Items {
		job := &list.Items[i]
		role := job.Labels[jobset.ReplicatedJobNameKey]
		byRole[role] = append(byRole[role], job)
	}
	return byRole
}

// inStatus returns a Job as its controller leaves it: Created, Ready or Complete.
func inStatus(job *batchv1.Job, status string) *batchv1.Job {
	job = job.DeepCopy()
	job.ResourceVersion = ""
	job.Status = batchv1.JobStatus{}
	pods := podsOf(job)
	switch status {
	case "Ready":
		job.Status.Ready = &pods
		job.Status.Active = pods
	case "Complete":
		job.Status.Succeeded = pods
		job.Status.Conditions = []batchv1.JobCondition{
			{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
	}
	return job
}

func podsOf(job *batchv1.Job) int32 {
	pods := *job.Spec.Parallelism
	if job.Spec.Completions != nil {
		pods = min(pods, *job.Spec.Completions)
	}
	return pods
}

// ---- order ----

// orderOf asks the operator for each pair of roles: with every other role complete, does the first
// exist while the second has only been created, or is ready, or is complete? A role that exists
// when all others have only been created waits for none.
func orderOf(set *jobset.JobSet, all map[string][]*batchv1.Job) map[string]map[string]string {
	order := map[string]map[string]string{}
	for role := range all {
		if exists(set, all, role, func(string) string { return "Created" }) {
			continue
		}
		order[role] = map[string]string{}
		for other := range all {
			if role == other {
				continue
			}
			if status := waitsFor(set, all, role, other); status != "" {
				order[role][other] = status
			}
		}
	}
	return order
}

// jobsOf lets the operator create every Job: what it creates is complete the next time.
func jobsOf(set *jobset.JobSet) map[string][]*batchv1.Job {
	jobs := map[string][]*batchv1.Job{}
	for range set.Spec.ReplicatedJobs {
		var complete []*batchv1.Job
		for _, ofRole := range jobs {
			for _, job := range ofRole {
				complete = append(complete, inStatus(job, "Complete"))
			}
		}
		jobs = reconcile(set, complete)
	}
	for _, replicated := range set.Spec.ReplicatedJobs {
		if len(jobs[replicated.Name]) != int(replicated.Replicas) {
			panic(fmt.Sprintf("the operator does not create %s", replicated.Name))
		}
	}
	return jobs
}

func waitsFor(set *jobset.JobSet, all map[string][]*batchv1.Job, role, other string) string {
	for _, status := range []string{"Created", "Ready", "Complete"} {
		created := exists(set, all, role, func(name string) string {
			if name == other {
				return status
			}
			return "Complete"
		})
		if created && status == "Created" {
			return ""
		}
		if created {
			return status
		}
	}
	panic(fmt.Sprintf("%s is never created", role))
}

// exists says whether the operator creates a role while the others have these statuses.
func exists(set *jobset.JobSet, all map[string][]*batchv1.Job, role string,
	status func(string) string) bool {
	var jobs []*batchv1.Job
	for name, ofRole := range all {
		for _, job := range ofRole {
			if name != role {
				jobs = append(jobs, inStatus(job, status(name)))
			}
		}
	}
	return len(reconcile(set, jobs)[role]) > 0
}
