import { fixedNames } from '@liqo/api';

/** The ID of this cluster, from anywhere in a template. */
export const clusterIDExpression = '(include "liqo.clusterID" $)';

const missing =
  'clusterID is required: how this cluster is known to its peers, for example --set clusterID=rome';
const other =
  'clusterID cannot be changed: this cluster is %q already, and its peers know it by that ID; leave clusterID out, or uninstall the release first';

/**
 * The template behind the expression: peers keep the ID of an installation, so that an upgrade may leave it out and is refused
 * with another one. Without a cluster (`helm template`) nothing is found.
 */
export const clusterIDTemplate = `{{- define "liqo.clusterID" -}}
{{- $found := lookup "v1" "ConfigMap" .Release.Namespace "${fixedNames.clusterIDConfigMap}" -}}
{{- $present := dig "data" "CLUSTER_ID" "" $found -}}
{{- if and $present .Values.clusterID (ne $present .Values.clusterID) -}}
{{- fail (printf ${JSON.stringify(other)} $present) -}}
{{- end -}}
{{- required "${missing}" (.Values.clusterID | default $present) -}}
{{- end -}}
`;
