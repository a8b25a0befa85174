{{- define "liqo.clusterID" -}}
{{- $found := lookup "v1" "ConfigMap" .Release.Namespace "liqo-clusterid-configmap" -}}
{{- $present := dig "data" "CLUSTER_ID" "" $found -}}
{{- if and $present .Values.clusterID (ne $present .Values.clusterID) -}}
{{- fail (printf "clusterID cannot be changed: this cluster is %q already, and its peers know it by that ID; leave clusterID out, or uninstall the release first" $present) -}}
{{- end -}}
{{- required "clusterID is required: how this cluster is known to its peers, for example --set clusterID=rome" (.Values.clusterID | default $present) -}}
{{- end -}}
