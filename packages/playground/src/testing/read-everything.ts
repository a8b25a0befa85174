import type { Client, DiscoveredResource, KubeObject, Stored } from '@liqo/kube';

/** Kinds whose objects a cluster writes all the time by itself. */
const restless = new Set([
  'componentstatuses.',
  'events.',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
]);

/** What the API server and the garbage collector record about a write. */
const marks = ['resourceVersion', 'managedFields', 'generation'];

interface AnyObject extends KubeObject {
  readonly status?: unknown;
}

/** All objects of all kinds that can be listed, as texts, by kind, namespace and name. */
export async function readEverything(client: Client): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const names = new Set<string>();
  for (const resource of await client.discover()) {
    const name = `${resource.plural}.${resource.group}`;
    if (names.has(name) || restless.has(name) || !resource.verbs.includes('list')) continue;
    // The preferred version of a group comes first.
    names.add(name);
    const { items } = await client.list<AnyObject>(resource);
    for (const object of items) {
      const { namespace = '', name: own } = object.metadata;
      found.set([name, namespace, own].join('/'), textOf(resource, object));
    }
  }
  return found;
}

function textOf({ kind }: DiscoveredResource, object: Stored<AnyObject>): string {
  const { metadata, status, ...content } = object;
  const kept = Object.entries(metadata).filter(([field]) => !marks.includes(field));
  // Kubelets report the images and the time of a Node.
  const state = kind === 'Node' ? {} : { status };
  return JSON.stringify({ ...content, metadata: Object.fromEntries(kept), ...state });
}
