import { apiVersionOf, type Kind, type KubeObject } from '@liqo/kube';
import { dump } from 'js-yaml';

/** One object as itself, unless a list was asked for; several as a List. Readable by `kubectl apply -f -`. */
export function renderJson(
  objects: readonly KubeObject[],
  { isList = objects.length !== 1 } = {},
): string {
  const items = objects.map(withoutManagedFields);
  const document = isList ? { apiVersion: 'v1', kind: 'List', items } : items[0];
  return renderJsonDocument(sorted(document));
}

/** Objects as they are before they are written, which have no type of their own. */
export function renderManifests(
  manifests: readonly (readonly [Kind, KubeObject])[],
  format: 'json' | 'yaml',
): string {
  const typed = manifests.map(([kind, object]) => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...object,
  }));
  return format === 'json' ? renderJson(typed) : renderYaml(typed);
}

export function renderJsonDocument(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Each object as a document of its own, its keys in alphabetical order, as Kubernetes writes them. */
export function renderYaml(objects: readonly KubeObject[]): string {
  return objects
    .map((object) => renderYamlDocument(sorted(withoutManagedFields(object))))
    .join('---\n');
}

/** Strings are in double quotes where they need some. */
export function renderYamlDocument(document: unknown): string {
  return dump(document, {
    lineWidth: -1,
    noRefs: true,
    seqNoIndent: true,
    quoteStyle: 'double',
  });
}

/** `virtualnode.offloading.liqo.io/mynode`. */
export function renderNames(kind: Kind, objects: readonly KubeObject[]): string {
  const type = [kind.kind.toLowerCase(), kind.group].filter((part) => part !== '').join('.');
  return objects.map(({ metadata }) => `${type}/${metadata?.name}\n`).join('');
}

/** Who set which field is for machines; kubectl leaves it out too. */
function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (!object.metadata?.managedFields) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The same value with the keys of its objects in order, and without what is undefined. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
