import type { KubeObject } from '@liqo/kube';
import { forgeManifests } from '../forge-manifests.ts';
import { renderTemplate } from './render-template.ts';
import { renderValues } from './render-values.ts';
import { renderValuesSchema } from './render-values-schema.ts';
import { symbolicValues } from './symbolic-values.ts';

const header =
  '# Generated from packages/manifests: change the manifests there, then run `npm run chart`.\n';

/** The files of the chart but the CRDs, by their path in it. */
export function renderChart(version: string): ReadonlyMap<string, string> {
  const objects = forgeManifests(symbolicValues()).filter(isInChart);
  return new Map([
    ['Chart.yaml', header + renderTemplate(forgeMetadata(version))],
    ['values.yaml', header + renderValues()],
    ['values.schema.json', renderValuesSchema()],
    ['templates/NOTES.txt', notes],
    ...objects.map((object) => [templatePath(object), header + renderTemplate(object)] as const),
  ]);
}

/** The namespace of a release is there before the release. */
export function isInChart({ kind }: KubeObject): boolean {
  return kind !== 'Namespace';
}

function templatePath({ kind = '', metadata }: KubeObject): string {
  return `templates/${kind.toLowerCase()}-${metadata?.name}.yaml`;
}

function forgeMetadata(version: string): object {
  return {
    apiVersion: 'v2',
    name: 'liqo',
    description: 'Kubernetes clusters lend each other capacity',
    type: 'application',
    version,
    appVersion: version,
  };
}

const notes = `Liqo is installed in the namespace "{{ .Release.Namespace }}": this cluster is "{{ .Values.clusterID }}".

  kubectl get pods --namespace {{ .Release.Namespace }}

Before you uninstall it, delete all VirtualNodes and NamespaceOffloadings:
somebody has to be there to take them down.
`;
