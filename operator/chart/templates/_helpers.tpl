{{/* SPDX-License-Identifier: Apache-2.0 */}}

{{/* What the chosen kinds have under one key of files/tables.yaml, each once. */}}
{{- define "gang.ofKinds" -}}
{{- $found := list -}}
{{- range $kind, $row := (.root.Files.Get "files/tables.yaml" | fromYaml).kinds -}}
{{- if or (empty $.root.Values.kinds) (has $kind $.root.Values.kinds) -}}
{{- $found = concat $found (index $row $.key | default list) -}}
{{- end -}}
{{- end -}}
{{- with uniq $found }}{{ toYaml . }}{{ end -}}
{{- end }}

{{- define "gang.ofBackends" -}}
{{- $found := list -}}
{{- range $backend, $rules := (.Files.Get "files/tables.yaml" | fromYaml).backends -}}
{{- if or (empty $.Values.backends) (has $backend $.Values.backends) -}}
{{- $found = concat $found $rules -}}
{{- end -}}
{{- end -}}
{{- with uniq $found }}{{ toYaml . }}{{ end -}}
{{- end }}

{{- define "gang.failurePolicy" -}}
{{- .Values.webhook.failurePolicy | default (eq .Values.mode "Enforce" | ternary "Fail" "Ignore") -}}
{{- end }}

{{- define "gang.client" -}}
clientConfig:
{{- with .root.Values.webhook.caBundle }}
  caBundle: {{ . }}
{{- end }}
  service: {name: libgang-operator, namespace: {{ .root.Release.Namespace | quote }}, path: {{ .path }}, port: 443}
sideEffects: None
timeoutSeconds: {{ .root.Values.webhook.timeoutSeconds }}
admissionReviewVersions: [v1]
{{- end }}

{{- define "gang.namespaces" -}}
namespaceSelector:
  matchExpressions:
  - key: kubernetes.io/metadata.name
    operator: NotIn
    values: {{ append .Values.webhook.excludedNamespaces .Release.Namespace | uniq | toJson }}
reinvocationPolicy: IfNeeded
failurePolicy: {{ include "gang.failurePolicy" . }}
{{- end }}
