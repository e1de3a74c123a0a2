{{- /* Secrets that the processes of a component read as files: `name`, `secret`, `key`. A hook runs before the chart's own Secret exists. */ -}}
{{- define "portcullis.secretFiles" -}}
{{- $values := .root.Values -}}
- { name: DATABASE_URL, secret: {{ $values.database.existingSecret }}, key: {{ $values.database.key | quote }} }
{{- if ne .component "migrate" }}
- { name: REDIS_URL, secret: {{ $values.redis.existingSecret }}, key: {{ $values.redis.key | quote }} }
- { name: SECRET_KEY, secret: {{ $values.secretKey.existingSecret | default (include "portcullis.secretName" .root) }}, key: {{ $values.secretKey.key | quote }} }
{{- end }}
{{- with $values.secretFiles }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "portcullis.secretVolume" -}}
- name: secrets
  projected:
    defaultMode: 288 # 0440: YAML 1.1 and 1.2 write octal numbers differently
    sources:
      {{- range include "portcullis.secretFiles" . | fromYamlArray }}
      - secret:
          name: {{ .secret }}
          items: [{ key: {{ .key | quote }}, path: {{ .name }} }]
      {{- end }}
{{- end }}

{{- define "portcullis.secretMount" -}}
- { name: secrets, mountPath: /run/secrets/portcullis, readOnly: true }
{{- end }}

{{- /*
Environment of every process of Portcullis. Secrets are files, because `kubectl describe` and crash reports show the
environment, and child processes inherit it.
*/ -}}
{{- define "portcullis.env" -}}
{{- range include "portcullis.secretFiles" . | fromYamlArray }}
- { name: {{ .name }}_FILE, value: /run/secrets/portcullis/{{ .name }} }
{{- end }}
{{- range $name, $value := .root.Values.config }}
- { name: {{ $name }}, value: {{ ternary $value ($value | toJson) (kindIs "string" $value) | quote }} }
{{- end }}
{{- with concat .root.Values.extraEnv (.of.extraEnv | default list) }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* In addition, of those that serve. */ -}}
{{- define "portcullis.serviceEnv" -}}
- { name: DATA_DIR, value: /data }
- { name: METRICS_PORT, value: {{ .root.Values.metrics.port | quote }} }
{{- include "portcullis.env" . }}
{{- end }}

{{- /* Address of the registry: api and worker connect to it, the notifier refuses to send to it. */ -}}
{{- define "portcullis.registryEnv" -}}
{{- if .Values.registry.enabled -}}
- { name: REGISTRY_URL, value: "http://{{ include "portcullis.fullname" . }}-registry:5000" }
{{- else if .Values.registry.existingSecret -}}
- name: REGISTRY_URL
  valueFrom:
    secretKeyRef: { name: {{ .Values.registry.existingSecret }}, key: {{ .Values.registry.key | quote }} }
{{- else -}}
- { name: REGISTRY_URL, value: {{ .Values.registry.url | quote }} }
{{- end }}
{{- end }}

{{- /* Environment of the backup and restore jobs. */ -}}
{{- define "portcullis.archiveEnv" -}}
- { name: DATA_DIR, value: /data }
{{- if include "portcullis.registryOnVolume" .root }}
- { name: REGISTRY_STORAGE, value: /data/registry }
{{- end }}
{{ include "portcullis.registryEnv" .root }}
{{- include "portcullis.env" . }}
{{- end }}

{{- /* The webhook for clusters. */ -}}
{{- define "portcullis.admissionEnv" -}}
{{- if .enabled -}}
- { name: ADMISSION_PORT, value: {{ .port | quote }} }
- { name: ADMISSION_CERT_FILE, value: /run/secrets/admission/tls.crt }
- { name: ADMISSION_KEY_FILE, value: /run/secrets/admission/tls.key }
- { name: ADMISSION_FOREIGN, value: {{ .foreign }} }
{{- if .clientCa.existingSecret }}
- { name: ADMISSION_CLIENT_CA_FILE, value: /run/secrets/admission-clients/ca.crt }
{{- end }}
{{- with .hosts }}
- { name: ADMISSION_HOSTS, value: {{ join "," . | quote }} }
{{- end }}
{{- with .platforms }}
- { name: ADMISSION_PLATFORMS, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}
{{- end }}
