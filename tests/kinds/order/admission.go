// SPDX-License-Identifier: Apache-2.0
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	admissionv1 "k8s.io/api/admission/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	jobset "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	"sigs.k8s.io/jobset/pkg/controllers"
	"sigs.k8s.io/jobset/pkg/webhooks"
)

// admission sends pods to JobSet's own webhook, with no pod in the cluster.
type admission struct{ handler http.Handler }

func newAdmission() *admission {
	builder := fake.NewClientBuilder().WithScheme(scheme)
	utilruntime.Must(controllers.SetupPodIndexes(background, indexes{builder}))
	cluster := builder.Build()
	manager, err := ctrl.NewManager(&rest.Config{Host: "localhost"}, ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: "0"},
		NewClient: func(*rest.Config, client.Options) (client.Client, error) {
			return cluster, nil
		},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) {
			return cluster.RESTMapper(), nil
		},
	})
	utilruntime.Must(err)
	utilruntime.Must(webhooks.Setup(manager))
	return &admission{manager.GetWebhookServer().(*webhook.DefaultServer).WebhookMux()}
}

// first counts the pods of each role that are let in while no pod has a node.
func (a *admission) first(jobs map[string][]*batchv1.Job) map[string]int32 {
	counts := map[string]int32{}
	for role, ofRole := range jobs {
		for _, job := range ofRole {
			for index := range podsOf(job) {
				if a.allows(podOf(job, index)) {
					counts[role]++
				}
			}
		}
	}
	return counts
}

// podOf makes a pod as the controller of Jobs does.
func podOf(job *batchv1.Job, index int32) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: *job.Spec.Template.ObjectMeta.DeepCopy()}
	pod.APIVersion, pod.Kind = "v1", "Pod"
	pod.Name = fmt.Sprintf("%s-%d-x", job.Name, index)
	pod.Namespace = job.Namespace
	pod.Spec = *job.Spec.Template.Spec.DeepCopy()
	if pod.Annotations == nil {
		pod.Annotations = map[string]string{}
	}
	if pod.Labels == nil {
		pod.Labels = map[string]string{}
	}
	if mode := job.Spec.CompletionMode; mode != nil && *mode == batchv1.IndexedCompletion {
		pod.Annotations[batchv1.JobCompletionIndexAnnotation] = fmt.Sprint(index)
		pod.Labels[batchv1.JobCompletionIndexAnnotation] = fmt.Sprint(index)
	}
	return pod
}

func (a *admission) allows(pod *corev1.Pod) bool {
	kind := metav1.GroupVersionKind{Version: "v1", Kind: "Pod"}
	return a.refusal("/validate--v1-pod", pod, kind) == ""
}

// mustAccept stops the program: the random JobSets must be ones that JobSet accepts.
func (a *admission) mustAccept(set *jobset.JobSet) {
	kind := metav1.GroupVersionKind(jobset.SchemeGroupVersion.WithKind("JobSet"))
	refusal := a.refusal("/validate-jobset-x-k8s-io-v1alpha2-jobset", set, kind)
	if refusal != "" {
		panic(refusal)
	}
}

// refusal returns why the webhook refuses an object; "" if it does not.
func (a *admission) refusal(path string, object client.Object,
	kind metav1.GroupVersionKind) string {
	text, err := json.Marshal(object)
	utilruntime.Must(err)
	review, err := json.Marshal(&admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Request: &admissionv1.AdmissionRequest{
			UID: "uid", Operation: admissionv1.Create, Name: object.GetName(),
			Namespace: object.GetNamespace(), Kind: kind,
			Object: runtime.RawExtension{Raw: text},
		}})
	utilruntime.Must(err)
	request := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(review))
	request.Header.Set("Content-Type", "application/json")
	response := httptest.NewRecorder()
	a.handler.ServeHTTP(response, request)
	result := &admissionv1.AdmissionReview{}
	utilruntime.Must(json.Unmarshal(response.Body.Bytes(), result))
	if result.Response.Allowed {
		return ""
	}
	return "refused: " + result.Response.Result.Message
}
