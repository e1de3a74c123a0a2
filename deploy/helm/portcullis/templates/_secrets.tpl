{{- define "portcullis.secretName" -}}
{{ include "portcullis.fullname" . }}-secrets
{{- end }}

{{- /* "true" where helm reads a cluster, which has the Secret of the database before the first install. Tools that only render read nothing. */ -}}
{{- define "portcullis.readsCluster" -}}
{{- if lookup "v1" "Secret" .Release.Namespace .Values.database.existingSecret }}true{{ end }}
{{- end }}

{{- /*
Random values that are generated once. Every later release keeps them; within a rendering they are the same everywhere.
Where helm only renders, it generates them only if no Secret is given at all: each rendering would have others.
*/ -}}
{{- define "portcullis.madeSecret" -}}
{{- if not (hasKey .Values "madeSecret") }}
{{- $old := (lookup "v1" "Secret" .Release.Namespace (include "portcullis.secretName" .)).data | default dict }}
{{- $data := dict }}
{{- if not .Values.secretKey.existingSecret }}
{{- $_ := set $data .Values.secretKey.key (index $old .Values.secretKey.key | default (randBytes 32 | b64enc)) }}
{{- end }}
{{- $signs := and .Values.registry.enabled (not .Values.registry.httpSecret.existingSecret) }}
{{- if and $signs (or (include "portcullis.readsCluster" .) (not .Values.secretKey.existingSecret)) }}
{{- $_ := set $data .Values.registry.httpSecret.key (index $old .Values.registry.httpSecret.key | default (randBytes 32 | b64enc)) }}
{{- end }}
{{- $_ := set .Values "madeSecret" $data }}
{{- end }}
{{- toYaml .Values.madeSecret }}
{{- end }}

{{- /* The Secret that signs the states of the registry's uploads; empty where the registry makes one at each start. */ -}}
{{- define "portcullis.httpSecret" -}}
{{- if .Values.registry.httpSecret.existingSecret }}{{ .Values.registry.httpSecret.existingSecret }}
{{- else if hasKey (include "portcullis.madeSecret" . | fromYaml) .Values.registry.httpSecret.key }}{{ include "portcullis.secretName" . }}
{{- end }}
{{- end }}

{{- /* An annotation by which an upgrade restarts the pods whose Secrets were changed, where helm can read them. */ -}}
{{- define "portcullis.secretsChecksum" -}}
{{- $root := .root }}
{{- if include "portcullis.readsCluster" $root }}
{{- $values := $root.Values }}
{{- $used := list $values.caBundle }}
{{- if eq .component "agent" }}{{ $used = append $used $values.agent.token }}
{{- else if or (ne .component "registry") (include "portcullis.hasCollector" $root) }}
{{- range include "portcullis.secretFiles" . | fromYamlArray }}{{ $used = append $used (dict "existingSecret" .secret "key" .key) }}{{ end }}
{{- if not $values.registry.enabled }}{{ $used = append $used $values.registry }}{{ end }}
{{- end }}
{{- if eq .component "registry" }}{{ $used = append $used $values.registry.httpSecret }}{{ end }}
{{- if include "portcullis.registryInBucket" $root }}{{ $used = append $used $values.registry.storage.s3 }}{{ end }}
{{- $seen := include "portcullis.madeSecret" $root }}
{{- range $used }}
{{- if and .existingSecret (ne .existingSecret (include "portcullis.secretName" $root)) }}
{{- $data := (lookup "v1" "Secret" $root.Release.Namespace .existingSecret).data | default dict }}
{{- $seen = printf "%s\n%s/%s=%s" $seen .existingSecret .key (index $data .key | default "") }}
{{- end }}
{{- end -}}
checksum/secrets: {{ sha256sum $seen }}
{{- end }}
{{- end }}

{{- define "portcullis.bucketKeysVolume" -}}
- name: bucket
  secret:
    secretName: {{ .existingSecret }}
    defaultMode: 288 # 0440: YAML 1.1 and 1.2 write octal numbers differently
    items: [{ key: {{ .key | quote }}, path: credentials }]
{{- end }}
