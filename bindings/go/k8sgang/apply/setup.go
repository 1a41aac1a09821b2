// SPDX-License-Identifier: Apache-2.0

package apply

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"libgang.dev/gang/k8sgang"
)

const (
	// Changes that are not urgent are collected: those of the status of a job, for example.
	pause = 3 * time.Second
	// Pods that end are waited for less long.
	settle = time.Second
	// Nothing is written because of these, and most come together: objects of gangs, which the
	// reconciler itself creates, what schedulers write in their status, pods that are new or get a
	// node, and the counts of them in the status of the job.
	calm = 15 * time.Second
)

// SetUp makes a controller of each reconciler. A change of one of the triggers, such as the
// ConfigMap with the policy, plans all jobs again. Call it once for a manager; a scheduler that is
// installed later needs a restart.
//
// It watches the pods of all namespaces, beside the cache of the manager: see [Pod].
func SetUp(ctx context.Context, m manager.Manager, reconcilers []*Reconciler,
	triggers ...client.Object) error {
	kinds, err := k8sgang.ServedKinds(m.GetRESTMapper())
	if err != nil {
		return err
	}
	var indexed []schema.GroupVersionKind
	for _, r := range reconcilers {
		if r.Kinds == nil {
			r.Kinds = kinds
		}
		indexed = append(indexed, slices.Concat(r.Kinds, r.Children)...)
	}
	slices.SortFunc(indexed, func(a, b schema.GroupVersionKind) int {
		return strings.Compare(a.String(), b.String())
	})
	indexed = slices.Compact(indexed)
	for _, kind := range indexed {
		if err := m.GetFieldIndexer().IndexField(ctx, New(kind), IndexName, Concerns); err != nil {
			return err
		}
	}
	pods := newPodWatch(m.GetClient(), indexed, reconcilers)
	if err := pods.setUp(ctx, m); err != nil {
		return err
	}
	for _, r := range reconcilers {
		if err := r.setUp(m, triggers); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reconciler) setUp(m manager.Manager, triggers []client.Object) error {
	name := "gangs-" + strings.ToLower(r.Kind.GroupKind().String())
	made := ctrl.NewControllerManagedBy(m).Named(name).
		Watches(New(r.Kind), whenSettled(0, 0, func(job client.Object) []ctrl.Request {
			return []ctrl.Request{{NamespacedName: client.ObjectKeyFromObject(job)}}
		})).
		WatchesRawSource(source.Func(func(_ context.Context, queue requests) error {
			r.queue.Store(&queue)
			return nil
		})).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4})
	for _, kind := range r.Kinds {
		made = made.Watches(New(kind), whenSettled(calm, pause, r.jobsOf))
	}
	for _, kind := range r.Children {
		made = made.Watches(New(kind), whenSettled(pause, pause, r.jobsOf))
	}
	for _, trigger := range slices.Concat(triggers, r.Triggers) {
		made = made.Watches(trigger, handler.EnqueueRequestsFromMapFunc(r.everyJob),
			builder.WithPredicates(predicate.Funcs{UpdateFunc: specMatters}))
	}
	return made.Complete(r)
}

type requests = workqueue.TypedRateLimitingInterface[ctrl.Request]

// whenSettled asks for a round: some time after an object is created or its spec is changed, at
// once after a deletion, and after a change of its status when more of them may have come.
func whenSettled(created, changed time.Duration,
	of func(client.Object) []ctrl.Request) handler.EventHandler {
	add := func(queue requests, after time.Duration, object client.Object) {
		for _, request := range of(object) {
			queue.AddAfter(request, after)
		}
	}
	return handler.Funcs{
		CreateFunc: func(_ context.Context, e event.CreateEvent, queue requests) {
			add(queue, created, e.Object)
		},
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, queue requests) {
			after := changed
			if !specMatters(e) {
				after = afterStatus(e)
			}
			add(queue, after, e.ObjectNew)
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, queue requests) {
			add(queue, 0, e.Object)
		},
	}
}

// jobsOf is the job that controls an object of a gang, or a child.
func (r *Reconciler) jobsOf(object client.Object) []ctrl.Request {
	owner := metav1.GetControllerOf(object)
	if owner == nil || owner.Kind != r.Kind.Kind ||
		schema.FromAPIVersionAndKind(owner.APIVersion, "").Group != r.Kind.Group {
		return nil
	}
	return []ctrl.Request{{NamespacedName: types.NamespacedName{
		Namespace: object.GetNamespace(), Name: owner.Name}}}
}

func (r *Reconciler) everyJob(ctx context.Context, _ client.Object) []ctrl.Request {
	return Requests(ctx, r.Client, r.Kind)
}

// Requests has one for each object of a kind.
func Requests(ctx context.Context, reader client.Reader,
	kind schema.GroupVersionKind) []ctrl.Request {
	objects, err := List(ctx, reader, kind, client.UnsafeDisableDeepCopy)
	if err != nil {
		log.FromContext(ctx).Error(err, "no list of objects", "kind", kind.Kind)
	}
	var requests []ctrl.Request
	for i := range objects {
		requests = append(requests,
			ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&objects[i])})
	}
	return requests
}

// specMatters tells whether an update can change a plan: one of the status alone cannot. A kind
// without a status, such as ConfigMap, has no generation.
func specMatters(update event.UpdateEvent) bool {
	before, after := update.ObjectOld, update.ObjectNew
	return after.GetGeneration() == 0 || after.GetGeneration() != before.GetGeneration() ||
		after.GetDeletionTimestamp() != nil && before.GetDeletionTimestamp() == nil ||
		!equality.Semantic.DeepEqual(after.GetLabels(), before.GetLabels()) ||
		!equality.Semantic.DeepEqual(after.GetAnnotations(), before.GetAnnotations())
}

// afterStatus says how long a round may wait after a change that is not of the spec. The texts of a
// status tell of phases and conditions; its numbers and times are about pods, which the store of
// pods tells of, too.
func afterStatus(update event.UpdateEvent) time.Duration {
	if reflect.DeepEqual(textsOf(statusOf(update.ObjectOld)), textsOf(statusOf(update.ObjectNew))) {
		return calm
	}
	return pause
}

func statusOf(object client.Object) any {
	read, _ := object.(*unstructured.Unstructured)
	if read == nil {
		return nil
	}
	status, _ := unpacked(read.Object["status"]) // it was packed by Slim
	return status
}

// textsOf leaves out numbers and times, and what is empty without them.
func textsOf(value any) any {
	switch value := value.(type) {
	case map[string]any:
		texts := map[string]any{}
		for key, below := range value {
			if text := textsOf(below); text != nil {
				texts[key] = text
			}
		}
		if len(texts) > 0 {
			return texts
		}
	case []any:
		texts := make([]any, len(value))
		for i, item := range value {
			texts[i] = textsOf(item)
		}
		if len(texts) > 0 {
			return texts
		}
	case string:
		if _, err := time.Parse(time.RFC3339, value); err != nil {
			return value
		}
	case bool:
		return value
	}
	return nil
}

// A podWatch finds the jobs of pods that change, once for all reconcilers.
type podWatch struct {
	reader      client.Reader
	kinds       []schema.GroupVersionKind
	reconcilers []*Reconciler

	lock sync.Mutex
	due  timetable // by namespace/group: when its jobs have a round
}

func newPodWatch(reader client.Reader, kinds []schema.GroupVersionKind,
	reconcilers []*Reconciler) *podWatch {
	return &podWatch{reader: reader, kinds: kinds, reconcilers: reconcilers,
		due: timetable{times: map[string]time.Time{}, keep: func() time.Duration { return 0 }}}
}

func (w *podWatch) setUp(ctx context.Context, m manager.Manager) error {
	from, expected, err := listPods(m, w.kinds)
	if err != nil {
		return err
	}
	store := newPodStore(w.changed)
	for _, r := range w.reconcilers {
		if r.pods = store; r.Planner != nil {
			r.Planner.pods = store
		}
	}
	if err := store.follow(ctx, m, w.kinds); err != nil {
		return err
	}
	return m.Add(runsAlways{func(ctx context.Context) error {
		cache.NewReflectorWithOptions(from, expected, store, cache.ReflectorOptions{
			Name: "pods of gangs"}).RunWithContext(ctx)
		return nil
	}})
}

// runsAlways is a part of the manager that also runs in a replica that does not lead.
type runsAlways struct{ manager.RunnableFunc }

func (runsAlways) NeedLeaderElection() bool { return false }

// changed asks for the rounds of the jobs that control the groups of a pod. In a replica that does
// not lead there are none.
func (w *podWatch) changed(namespace string, groups []string, after time.Duration) {
	leads := func(r *Reconciler) bool { return r.queue.Load() != nil }
	if !slices.ContainsFunc(w.reconcilers, leads) {
		return
	}
	for _, group := range groups {
		if !w.isDue(namespace+"/"+group, after) && w.ask(namespace, group, after) {
			w.note(namespace+"/"+group, after)
		}
	}
}

// isDue tells whether the jobs of a group have a round in this time: the siblings of a pod are
// looked for once.
func (w *podWatch) isDue(group string, after time.Duration) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	left := time.Until(w.due.times[group])
	return left > 0 && left <= after
}

func (w *podWatch) note(group string, after time.Duration) {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.due.set(group, time.Now().Add(after))
}

// ask tells whether a job of the group has been found.
func (w *podWatch) ask(namespace, group string, after time.Duration) (found bool) {
	for _, r := range w.reconcilers {
		found = r.later(r.jobOfGroup(namespace, group), after) || found
	}
	ctx := context.Background()
	for _, kind := range w.kinds {
		objects, err := concerning(ctx, w.reader, kind, namespace, map[string]bool{group: true})
		if err != nil {
			log.FromContext(ctx).Error(err, "no list of groups", "kind", kind.Kind)
		}
		for _, object := range objects {
			for _, r := range w.reconcilers {
				found = r.later(r.jobsOf(object), after) || found
			}
		}
	}
	return found
}

// later asks for rounds when more changes may have come. It tells whether there will be one.
func (r *Reconciler) later(jobs []ctrl.Request, after time.Duration) bool {
	queue := r.queue.Load()
	if queue == nil {
		return false
	}
	for _, job := range jobs {
		(*queue).AddAfter(job, after)
	}
	return len(jobs) > 0
}

// listPods reads pods in the compact encoding of Kubernetes. Version 1.35 has a mark, workloadRef,
// that the types have no more; its pods are read as JSON.
func listPods(m manager.Manager, kinds []schema.GroupVersionKind) (
	from cache.ListerWatcher, expected any, err error) {
	config := rest.CopyConfig(m.GetConfig())
	isOld := func(kind schema.GroupVersionKind) bool {
		return kind.Group == "scheduling.k8s.io" && kind.Version == "v1alpha1"
	}
	if slices.ContainsFunc(kinds, isOld) {
		clients, err := dynamic.NewForConfigAndClient(config, m.GetHTTPClient())
		if err != nil {
			return nil, nil, err
		}
		pods := clients.Resource(corev1.SchemeGroupVersion.WithResource("pods"))
		return watchable[*unstructured.UnstructuredList](pods, clients), New(podKind), nil
	}
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	config.ContentType = runtime.ContentTypeProtobuf
	clients, err := kubernetes.NewForConfigAndClient(config, m.GetHTTPClient())
	if err != nil {
		return nil, nil, err
	}
	pods := clients.CoreV1().Pods(metav1.NamespaceAll)
	return watchable[*corev1.PodList](pods, clients), &corev1.Pod{}, nil
}

// A lister is a client of one kind.
type lister[L runtime.Object] interface {
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
}

func watchable[L runtime.Object](of lister[L], clients any) cache.ListerWatcher {
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, with metav1.ListOptions) (
			runtime.Object, error) {
			return of.List(ctx, with)
		},
		WatchFuncWithContext: of.Watch}, clients)
}

// IndexName is the index of the cache by which a round finds what concerns its job. SetUp makes it;
// a fake client needs it for the kinds that are served, the children and pods.
const IndexName = "libgang-concerns"

// Concerns are the entries of an object in the index: of a pod the groups that it names, of another
// object its own name and the uid of its controller.
func Concerns(object client.Object) []string {
	if pod, isPod := object.(*unstructured.Unstructured); isPod && pod.GetKind() == podKind.Kind {
		spec, _ := pod.Object["spec"].(map[string]any)
		return groupsOf(pod, spec)
	}
	keys := []string{object.GetName()}
	if owner := metav1.GetControllerOf(object); owner != nil {
		keys = append(keys, string(owner.UID))
	}
	return keys
}
