{{- /* "true" if all workers and the bundled registry share one volume. */ -}}
{{- define "portcullis.isShared" -}}
{{- if eq .Values.data.mode "shared" }}true{{ end }}
{{- end }}

{{- /* "true" if the bundled registry stores its images on a volume. */ -}}
{{- define "portcullis.registryOnVolume" -}}
{{- if and .Values.registry.enabled (eq .Values.registry.storage.type "filesystem") }}true{{ end }}
{{- end }}

{{- /* "true" if the bundled registry stores its images in a bucket. */ -}}
{{- define "portcullis.registryInBucket" -}}
{{- if and .Values.registry.enabled (eq .Values.registry.storage.type "s3") }}true{{ end }}
{{- end }}

{{- /* "true" if no worker mounts the registry's volume: a worker in the registry's pod then collects the garbage. */ -}}
{{- define "portcullis.hasCollector" -}}
{{- if and (include "portcullis.registryOnVolume" .) (not (include "portcullis.isShared" .)) }}true{{ end }}
{{- end }}

{{- /* Access modes of the registry's volume where the workers have others. */ -}}
{{- define "portcullis.registryModes" -}}
{{- .Values.registry.storage.filesystem.accessModes | default (list (ternary "ReadWriteMany" "ReadWriteOnce" (gt (int .Values.registry.replicas) 1))) | toYaml }}
{{- end }}

{{- /* "true" if only the pods of one node can use the registry's volume. */ -}}
{{- define "portcullis.registryOnOneNode" -}}
{{- $modes := include "portcullis.registryModes" . | fromYamlArray }}
{{- if and (include "portcullis.hasCollector" .) (not (has "ReadWriteMany" $modes)) }}true{{ end }}
{{- end }}

{{- /* "true" if the api reads blobs from the registry's volume. */ -}}
{{- define "portcullis.apiReadsStorage" -}}
{{- $isForAll := and (include "portcullis.registryOnVolume" .) (not (include "portcullis.registryOnOneNode" .)) }}
{{- if and $isForAll (eq .Values.api.registryVolume "auto") }}true{{ end }}
{{- end }}

{{- define "portcullis.dataClaim" -}}
{{ .Values.data.existingClaim | default (printf "%s-data" (include "portcullis.fullname" .)) }}
{{- end }}

{{- /* The claim of the volume that has the images of the bundled registry. */ -}}
{{- define "portcullis.registryClaim" -}}
{{- if include "portcullis.isShared" . }}{{ include "portcullis.dataClaim" . }}
{{- else }}{{ .Values.registry.storage.filesystem.existingClaim | default (printf "%s-registry" (include "portcullis.fullname" .)) }}
{{- end }}
{{- end }}

{{- define "portcullis.backupClaim" -}}
{{ .Values.backup.existingClaim | default (printf "%s-backups" (include "portcullis.fullname" .)) }}
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
