import { hashText, isJsonObject, type KubeObject, type Pod, type Stored } from '@liqo/kube';
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import { forgeControllerReference } from './owner-reference.ts';

/** A pod of the template that belongs to the owner. */
export function forgePod(
  template: PodTemplateSpec,
  owner: Stored<KubeObject>,
  names: { readonly name?: string; readonly generateName: string },
): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      ...names,
      ...(owner.metadata.namespace && { namespace: owner.metadata.namespace }),
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
      ...(finalizers && { finalizers: [...finalizers] }),
      ownerReferences: [forgeControllerReference(owner)],
    },
    ...(template.spec && { spec: template.spec }),
  };
}

/** As in names of Kubernetes: no vowels and no digits that look like them, so no words come out by chance. */
const hashAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Ten characters that tell templates apart; another one for the same template after each collision of names. */
export function hashTemplate(template: unknown, collisionCount = 0): string {
  const text = canonicalJson(template) + (collisionCount > 0 ? `#${collisionCount}` : '');
  const letters = [...hashText(text).slice(-10)];
  return letters.map((letter) => hashAlphabet[Number.parseInt(letter, 36) % 27]).join('');
}

/** The same text for equal values, whatever the order of their members. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}
