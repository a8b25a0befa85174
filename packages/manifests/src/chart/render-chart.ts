import type { KubeObject } from '@liqo/kube';
import { forgeManifests } from '../forge-manifests.ts';
import { clusterIDTemplate } from './cluster-id-template.ts';
import { forgeHooks } from './forge-hooks.ts';
import { notes } from './notes.ts';
import { renderTemplate } from './render-template.ts';
import { renderValues } from './render-values.ts';
import { renderValuesSchema } from './render-values-schema.ts';
import { symbolicValues } from './symbolic-values.ts';
import { conditionOf } from './when.ts';

const header =
  '# Generated from packages/manifests: change the manifests there, then run `npm run chart`.\n';

/** The files of the chart but the CRDs, by their path in it. */
export function renderChart(version: string): ReadonlyMap<string, string> {
  const values = symbolicValues();
  const objects = [...forgeManifests(values).filter(isInChart), ...forgeHooks(values)];
  return new Map([
    ['Chart.yaml', header + renderTemplate(forgeMetadata(version))],
    ['values.yaml', header + renderValues()],
    ['values.schema.json', renderValuesSchema()],
    ['templates/NOTES.txt', notes],
    ['templates/_cluster-id.tpl', clusterIDTemplate],
    ...objects.map((object) => [templatePath(object), renderObject(object)] as const),
  ]);
}

/** The namespace of a release is there before the release. */
export function isInChart({ kind }: KubeObject): boolean {
  return kind !== 'Namespace';
}

function renderObject(object: KubeObject): string {
  const conditions = [conditionOf(object), ...kindConditions(object)].filter(isDefined);
  const text = header + renderTemplate(object);
  return conditions.reduce((inner, one) => `{{- if ${one} }}\n${inner}{{- end }}\n`, text);
}

const isDefined = (text: string | undefined): text is string => text !== undefined;

/**
 * Helm installs the kinds of a chart before its templates, but not for `--dry-run=server`: there, objects of these kinds are
 * left out. `helm template` knows no cluster, and so no kinds of objects at all: it prints everything.
 */
function kindConditions({ apiVersion = '', kind }: KubeObject): readonly string[] {
  if (!apiVersion.includes('liqo.io/')) return [];
  const has = (what: string) => `(.Capabilities.APIVersions.Has "${what}")`;
  return [`or (not ${has('v1/Namespace')}) ${has(`${apiVersion}/${kind}`)}`];
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
