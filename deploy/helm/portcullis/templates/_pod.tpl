{{- /*
Every pod of the chart. `component` names its templates `portcullis.<component>.containers` and `.volumes`, which have what
no other pod has. `of`: its section of the values. Optional: `group`, `account`, `restartPolicy`, `graceSeconds`,
`annotations`.
*/ -}}
{{- define "portcullis.pod" -}}
metadata:
  labels:
    {{- $labels := mergeOverwrite (dict) .root.Values.podLabels (.of.podLabels | default dict) }}
    {{- include "portcullis.labels" (dict "root" .root "component" .component "group" .group "labels" $labels) | nindent 4 }}
  {{- $checksum := include "portcullis.secretsChecksum" . | fromYaml }}
  {{- with mergeOverwrite (dict) .root.Values.podAnnotations (.of.podAnnotations | default dict) $checksum (.annotations | default dict) }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "portcullis.podSpec" . | nindent 2 }}
{{- end }}

{{- define "portcullis.podSpec" -}}
{{- $values := .root.Values -}}
serviceAccountName: {{ .account | default (include "portcullis.serviceAccount" .root) }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .restartPolicy }}
restartPolicy: {{ . }}
{{- end }}
{{- with .graceSeconds }}
terminationGracePeriodSeconds: {{ . }}
{{- end }}
securityContext:
  {{- include "portcullis.given" $values.podSecurityContext | nindent 2 }}
{{- $placement := pick .of "priorityClassName" "nodeSelector" "tolerations" "affinity" }}
{{- $common := pick $values "imagePullSecrets" "hostAliases" "dnsConfig" }}
{{- range $name, $value := merge $placement $common }}
{{- with $value }}
{{ $name }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- if hasKey .of "topologySpreadConstraints" }}
topologySpreadConstraints:
  {{- with .of.topologySpreadConstraints }}
  {{- toYaml . | nindent 2 }}
  {{- else }}
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "portcullis.selector" $ | nindent 8 }}
  {{- end }}
  {{- end }}
{{- end }}
{{- with $values.initContainers }}
initContainers:
  {{- include "portcullis.containers" (dict "root" $.root "yaml" (tpl (toYaml .) $.root)) | nindent 2 }}
{{- end }}
containers:
  {{- include "portcullis.containers" (dict "root" .root "yaml" (include (printf "portcullis.%s.containers" .component) .)) | nindent 2 }}
{{- $own := include (printf "portcullis.%s.volumes" .component) . | fromYamlArray }}
{{- $extra := tpl (toYaml $values.extraVolumes) .root | fromYamlArray }}
{{- with concat $own (include "portcullis.caVolume" .root | fromYamlArray) $extra }}
volumes:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* Gives each container what all have: security context, certificates, mounts. */ -}}
{{- define "portcullis.containers" -}}
{{- $values := .root.Values }}
{{- $security := include "portcullis.given" $values.containerSecurityContext | fromYaml }}
{{- $mounts := tpl (toYaml $values.extraVolumeMounts) .root | fromYamlArray }}
{{- $env := list }}
{{- if $values.caBundle.existingSecret }}
{{- $mounts = prepend $mounts (dict "name" "ca-bundle" "mountPath" "/run/secrets/ca-bundle" "readOnly" true) }}
{{- /* Node reads the first one, and Go (the registry) the second one, in addition to the authorities of the image. */ -}}
{{- $env = append $env (dict "name" "NODE_EXTRA_CA_CERTS" "value" "/run/secrets/ca-bundle/ca.crt") }}
{{- $env = append $env (dict "name" "SSL_CERT_DIR" "value" "/etc/ssl/certs:/run/secrets/ca-bundle") }}
{{- end }}
{{- $all := list }}
{{- range .yaml | fromYamlArray }}
{{- $names := list }}
{{- range .env }}{{ $names = append $names .name }}{{ end }}
{{- $missing := list }}
{{- range $env }}{{ if not (has .name $names) }}{{ $missing = append $missing . }}{{ end }}{{ end }}
{{- $each := mergeOverwrite (dict "securityContext" (deepCopy $security)) . }}
{{- with concat (.env | default list) $missing }}{{ $_ := set $each "env" . }}{{ end }}
{{- with concat (.volumeMounts | default list) $mounts }}{{ $_ := set $each "volumeMounts" . }}{{ end }}
{{- $all = append $all $each }}
{{- end }}
{{- toYaml $all }}
{{- end }}

{{- define "portcullis.caVolume" -}}
{{- with .Values.caBundle }}
{{- if .existingSecret }}
- name: ca-bundle
  secret:
    secretName: {{ .existingSecret }}
    defaultMode: 292 # 0444: YAML 1.1 and 1.2 write octal numbers differently
    items: [{ key: {{ .key | quote }}, path: ca.crt }]
{{- end }}
{{- end }}
{{- end }}

{{- /* A map without its nulls and empty texts, by which values leave fields out. In the values of another chart helm ignores null. */ -}}
{{- define "portcullis.given" -}}
{{- $given := dict }}
{{- range $name, $value := . }}
{{- if not (or (kindIs "invalid" $value) (eq (toString $value) "")) }}{{ $_ := set $given $name $value }}{{ end }}
{{- end }}
{{- toYaml $given }}
{{- end }}

{{- /* Probes of processes without an HTTP port. */ -}}
{{- define "portcullis.beats" -}}
startupProbe:
  exec: { command: [beats] }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  exec: { command: [beats] }
  periodSeconds: 15
  timeoutSeconds: 5
  failureThreshold: 4
{{- end }}

{{- /* Rollouts wait for it, and disruption budgets count it. */ -}}
{{- define "portcullis.beatsReady" -}}
readinessProbe:
  exec: { command: [beats] }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}
