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

{{- define "portcullis.labels" -}}
{{ include "portcullis.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "portcullis.image" -}}
{{- $tag := .image.tag | default .root.Chart.AppVersion -}}
{{- .image.repository }}:{{ $tag }}{{ with .image.digest }}@{{ . }}{{ end }}
{{- end }}

{{- define "portcullis.serviceAccount" -}}
{{- ternary (.Values.serviceAccount.name | default (include "portcullis.fullname" .)) (.Values.serviceAccount.name | default "default") .Values.serviceAccount.create }}
{{- end }}

{{- define "portcullis.secretName" -}}
{{ include "portcullis.fullname" . }}-secrets
{{- end }}

{{- /* Two random values that are generated once. Every later release keeps them; within a rendering they are the same everywhere. */ -}}
{{- define "portcullis.madeSecret" -}}
{{- if not (hasKey .Values "madeSecret") }}
{{- $old := (lookup "v1" "Secret" .Release.Namespace (include "portcullis.secretName" .)).data | default dict }}
{{- $data := dict }}
{{- if not .Values.secretKey.existingSecret }}
{{- $_ := set $data .Values.secretKey.key (index $old .Values.secretKey.key | default (randBytes 32 | b64enc)) }}
{{- end }}
{{- if .Values.registry.enabled }}
{{- $_ := set $data "registry-http-secret" (index $old "registry-http-secret" | default (randBytes 32 | b64enc)) }}
{{- end }}
{{- $_ := set .Values "madeSecret" $data }}
{{- end }}
{{- toYaml .Values.madeSecret }}
{{- end }}

{{- /* An upgrade restarts the pods whose Secrets were changed. Tools that only render can't see the Secrets' content. */ -}}
{{- define "portcullis.secretsChecksum" -}}
{{- $used := list .Values.database .Values.redis .Values.secretKey }}
{{- if not .Values.registry.enabled }}{{ $used = append $used .Values.registry }}{{ end }}
{{- if include "portcullis.registryInBucket" . }}{{ $used = append $used .Values.registry.storage.s3 }}{{ end }}
{{- range .Values.secretFiles }}{{ $used = append $used (dict "existingSecret" .secret "key" .key) }}{{ end }}
{{- $seen := include "portcullis.madeSecret" . }}
{{- range $used }}
{{- if .existingSecret }}
{{- $data := (lookup "v1" "Secret" $.Release.Namespace .existingSecret).data | default dict }}
{{- $seen = printf "%s\n%s/%s=%s" $seen .existingSecret .key (index $data .key | default "") }}
{{- end }}
{{- end }}
{{- sha256sum $seen }}
{{- end }}

{{- define "portcullis.dataClaim" -}}
{{ .Values.data.existingClaim | default (printf "%s-data" (include "portcullis.fullname" .)) }}
{{- end }}

{{- /* "true" if all workers and the bundled registry share one volume. */ -}}
{{- define "portcullis.isShared" -}}
{{- if eq .Values.data.mode "shared" }}true{{ end }}
{{- end }}

{{- /* The claim of the volume that has the images of the bundled registry. */ -}}
{{- define "portcullis.registryClaim" -}}
{{- if include "portcullis.isShared" . }}{{ include "portcullis.dataClaim" . }}
{{- else }}{{ .Values.registry.storage.filesystem.existingClaim | default (printf "%s-registry" (include "portcullis.fullname" .)) }}
{{- end }}
{{- end }}

{{- /* "true" if the api reads blobs from the registry's volume. */ -}}
{{- define "portcullis.apiReadsStorage" -}}
{{- $isForMany := or (include "portcullis.isShared" .) (has "ReadWriteMany" .Values.registry.storage.filesystem.accessModes) }}
{{- if and (include "portcullis.registryOnVolume" .) (eq .Values.api.registryVolume "auto") $isForMany }}true{{ end }}
{{- end }}

{{- /* "true" if no worker mounts the registry's volume: a worker in the registry's pod then collects the garbage. */ -}}
{{- define "portcullis.hasCollector" -}}
{{- if and (include "portcullis.registryOnVolume" .) (not (include "portcullis.isShared" .)) }}true{{ end }}
{{- end }}

{{- /* DATA_DIR of the backup and restore jobs. The registry's volume has the images in its folder `registry`. */ -}}
{{- define "portcullis.archiveVolume" -}}
- name: data
{{- if or (include "portcullis.isShared" .) (include "portcullis.registryOnVolume" .) }}
  persistentVolumeClaim: { claimName: {{ include "portcullis.registryClaim" . }} }
{{- else }}
  emptyDir: { sizeLimit: {{ .Values.data.size }} }
{{- end }}
{{- end }}

{{- /* The spec of a volume claim. `of`: its section of the values; `modes`: its access modes. */ -}}
{{- define "portcullis.claimSpec" -}}
accessModes:
  {{- toYaml .modes | nindent 2 }}
{{- with .of.storageClass }}
storageClassName: {{ ternary "" . (eq . "-") | quote }}
{{- end }}
resources:
  requests:
    storage: {{ .of.size }}
{{- end }}

{{- define "portcullis.backupClaim" -}}
{{ .Values.backup.existingClaim | default (printf "%s-backups" (include "portcullis.fullname" .)) }}
{{- end }}

{{- define "portcullis.publicUrl" -}}
{{- if .Values.publicUrl }}{{ .Values.publicUrl }}
{{- else if and .Values.ingress.enabled .Values.ingress.hosts }}
{{- printf "%s://%s" (ternary "https" "http" (gt (len .Values.ingress.tls) 0)) (first .Values.ingress.hosts) }}
{{- end }}
{{- end }}

{{- /* Fields that all pods share: account, security context, scheduling. `of`: the pod's section of the values. */ -}}
{{- define "portcullis.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .of.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .of.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .of.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .of.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
{{- if .of.topologySpreadConstraints }}
  {{- toYaml .of.topologySpreadConstraints | nindent 2 }}
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

{{- define "portcullis.container" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- /* Secrets are files, because `kubectl describe` and crash reports show the environment, and child processes inherit it. */ -}}
{{- define "portcullis.secretEnv" -}}
- { name: DATABASE_URL_FILE, value: /run/secrets/portcullis/DATABASE_URL }
- { name: REDIS_URL_FILE, value: /run/secrets/portcullis/REDIS_URL }
- { name: SECRET_KEY_FILE, value: /run/secrets/portcullis/SECRET_KEY }
{{- range .Values.secretFiles }}
- { name: {{ .name }}_FILE, value: /run/secrets/portcullis/{{ .name }} }
{{- end }}
{{- end }}

{{- define "portcullis.secretVolume" -}}
- name: secrets
  projected:
    defaultMode: 288 # 0440: YAML 1.1 and 1.2 write octal numbers differently
    sources:
      - secret:
          name: {{ .Values.database.existingSecret }}
          items: [{ key: {{ .Values.database.key | quote }}, path: DATABASE_URL }]
      - secret:
          name: {{ .Values.redis.existingSecret }}
          items: [{ key: {{ .Values.redis.key | quote }}, path: REDIS_URL }]
      - secret:
          name: {{ .Values.secretKey.existingSecret | default (include "portcullis.secretName" .) }}
          items: [{ key: {{ .Values.secretKey.key | quote }}, path: SECRET_KEY }]
      {{- range .Values.secretFiles }}
      - secret:
          name: {{ .secret }}
          items: [{ key: {{ .key | quote }}, path: {{ .name }} }]
      {{- end }}
{{- end }}

{{- /* Address of the registry: api and worker connect to it, the notifier refuses to send to it. */ -}}
{{- define "portcullis.registryEnv" -}}
{{- if .Values.registry.enabled }}
- { name: REGISTRY_URL, value: "http://{{ include "portcullis.fullname" . }}-registry:5000" }
{{- else if .Values.registry.existingSecret }}
- name: REGISTRY_URL
  valueFrom:
    secretKeyRef: { name: {{ .Values.registry.existingSecret }}, key: {{ .Values.registry.key | quote }} }
{{- else }}
- { name: REGISTRY_URL, value: {{ .Values.registry.url | quote }} }
{{- end }}
{{- end }}

{{- /* Environment of the backup and restore jobs. */ -}}
{{- define "portcullis.archiveEnv" -}}
- { name: DATA_DIR, value: /data }
{{- if include "portcullis.registryOnVolume" . }}
- { name: REGISTRY_STORAGE, value: /data/registry }
{{- end }}
{{- include "portcullis.registryEnv" . }}
{{ include "portcullis.secretEnv" . }}
{{- end }}

{{- define "portcullis.env" -}}
- { name: DATA_DIR, value: /data }
- { name: METRICS_PORT, value: {{ .root.Values.metrics.port | quote }} }
{{ include "portcullis.secretEnv" .root }}
{{- range $name, $value := .root.Values.config }}
- { name: {{ $name }}, value: {{ ternary $value ($value | toJson) (kindIs "string" $value) | quote }} }
{{- end }}
{{- with .root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- with .of.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* "true" if the bundled registry stores its images on a volume. */ -}}
{{- define "portcullis.registryOnVolume" -}}
{{- if and .Values.registry.enabled (eq .Values.registry.storage.type "filesystem") }}true{{ end }}
{{- end }}

{{- /* "true" if the bundled registry stores its images in a bucket. */ -}}
{{- define "portcullis.registryInBucket" -}}
{{- if and .Values.registry.enabled (eq .Values.registry.storage.type "s3") }}true{{ end }}
{{- end }}

{{- define "portcullis.bucketKeysVolume" -}}
- name: bucket
  secret:
    secretName: {{ .existingSecret }}
    defaultMode: 288 # 0440: YAML 1.1 and 1.2 write octal numbers differently
    items: [{ key: {{ .key | quote }}, path: credentials }]
{{- end }}
