import {
  apiVersionOf,
  type CustomResourceDefinition,
  type DiscoveredResource,
  type KubeObject,
  type Stored,
} from '@liqo/kube';
import type { ControllerContext } from '../controller-context.ts';
import type { Informer } from '../informer.ts';
import { preferredResources } from '../preferred-resources.ts';

export type OnAnyChange = (
  kind: DiscoveredResource,
  current: Stored<KubeObject> | undefined,
  previous: Stored<KubeObject> | undefined,
) => void;

/**
 * Follows every kind that can be listed, watched and deleted, also those that come later: the server is asked what it
 * has when a definition of a custom kind changes. Events are too many, and own nothing.
 */
export function watchEverything(
  context: ControllerContext,
  definitions: Informer<CustomResourceDefinition>,
  onChange: OnAnyChange,
): void {
  const followed = new Map<string, DiscoveredResource>();
  const loop = context.loop('discovery', async () => {
    await refresh(context, followed, onChange);
    return undefined;
  });
  definitions.onChange(() => loop.add('all'));
  loop.add('all');
}

async function refresh(
  context: ControllerContext,
  followed: Map<string, DiscoveredResource>,
  onChange: OnAnyChange,
): Promise<void> {
  const wanted = new Map(
    preferredResources(await context.client.discover())
      .filter(isFollowed)
      .map((kind) => [`${apiVersionOf(kind)}/${kind.plural}`, kind]),
  );
  for (const [name, kind] of followed) {
    if (wanted.has(name)) continue;
    followed.delete(name);
    await context.dropInformer(kind);
  }
  for (const [name, kind] of wanted) {
    if (followed.has(name)) continue;
    followed.set(name, kind);
    context.informer(kind).onChange((current, previous) => onChange(kind, current, previous));
  }
}

function isFollowed({ group, plural, verbs }: DiscoveredResource): boolean {
  const isEvents = plural === 'events' && (group === '' || group === 'events.k8s.io');
  return !isEvents && ['list', 'watch', 'delete'].every((verb) => verbs.includes(verb));
}
