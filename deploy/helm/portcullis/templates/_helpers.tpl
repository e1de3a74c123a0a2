{{- define "portcullis.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- /* Truncated, to leave room for the longest suffix: the name of a worker group. */ -}}
{{- define "portcullis.fullname" -}}
{{- $name := include "portcullis.name" . }}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) }}
{{- default $full .Values.fullnameOverride | trunc 36 | trimSuffix "-" }}
{{- end }}

{{- define "portcullis.selector" -}}
app.kubernetes.io/name: {{ include "portcullis.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- with .group }}
portcullis/worker-group: {{ . }}
{{- end }}
{{- end }}

{{- /* Labels of an object. No value replaces one that the chart selects by. */ -}}
{{- define "portcullis.labels" -}}
{{- $chart := printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- $own := dict "app.kubernetes.io/version" .root.Chart.AppVersion "app.kubernetes.io/managed-by" .root.Release.Service "helm.sh/chart" $chart }}
{{- $selector := include "portcullis.selector" . | fromYaml }}
{{- mergeOverwrite (dict) .root.Values.commonLabels (.labels | default dict) $own $selector | toYaml }}
{{- end }}

{{- /* `name`: one of `images`. The first part of a repository is a host if it has a dot or a port, as for docker. */ -}}
{{- define "portcullis.image" -}}
{{- $image := index .root.Values.images .name }}
{{- $repository := $image.repository }}
{{- with .root.Values.global.imageRegistry }}
{{- $first := splitList "/" $repository | first }}
{{- if and (contains "/" $repository) (or (contains "." $first) (contains ":" $first) (eq $first "localhost")) }}
{{- $repository = trimPrefix (printf "%s/" $first) $repository }}
{{- end }}
{{- $repository = printf "%s/%s" . $repository }}
{{- end -}}
image: {{ $repository }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ with $image.digest }}@{{ . }}{{ end }}
imagePullPolicy: {{ $image.pullPolicy }}
{{- end }}

{{- define "portcullis.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "portcullis.fullname" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- define "portcullis.publicUrl" -}}
{{- if .Values.publicUrl }}{{ .Values.publicUrl }}
{{- else if and .Values.ingress.enabled .Values.ingress.hosts }}
{{- printf "%s://%s" (ternary "https" "http" (gt (len .Values.ingress.tls) 0)) (first .Values.ingress.hosts) }}
{{- end }}
{{- end }}

{{- /* The groups of workers by name, each with the values that all groups share. */ -}}
{{- define "portcullis.groups" -}}
{{- $groups := dict }}
{{- range $name, $given := .Values.worker.groups }}
{{- if $given }}
{{- $_ := set $groups $name (mergeOverwrite (deepCopy (omit $.Values.worker "groups")) $given) }}
{{- end }}
{{- end }}
{{- toYaml $groups }}
{{- end }}

{{- define "portcullis.workerKind" -}}
{{ ternary "StatefulSet" "Deployment" (eq .Values.data.mode "perWorker") }}
{{- end }}
