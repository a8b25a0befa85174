import { type Client, type Clock, defineKind, Pod, type Random } from '@liqo/kube';
import type * as core from 'kubernetes-types/core/v1.d.ts';
import type { ImageRegistry } from '../containers/image-registry.ts';
import { type NodeOptions, startNode } from '../start-node.ts';
import { startBareServer } from './start-bare-server.ts';

/** Time that a test owns. */
interface OwnedClock extends Clock {
  advance(ms: number): Promise<void>;
  settle(): Promise<void>;
}

export interface TestNodeOptions extends Partial<Omit<NodeOptions, 'client'>> {
  readonly clock: OwnedClock;
  readonly random: Random;
  readonly images?: ImageRegistry;
}

const CoreEvent = defineKind<core.Event>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
});

/** A node called `worker` at a server that has nothing else, both on the clock of the test. */
export async function startTestNode(options: TestNodeOptions) {
  const { clock, random } = options;
  const client = await startBareServer(clock, random);
  const node = await startNode({ client, name: 'worker', ...options });
  const pass = async (seconds: number) => {
    await clock.advance(seconds * 1000);
    await clock.settle();
  };
  return {
    client,
    node,
    pass,
    ...podAccess(client, pass),
    [Symbol.asyncDispose]: async () => {
      await node[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

type PodSpec = NonNullable<Pod['spec']>;

function podAccess(client: Client, pass: (seconds: number) => Promise<void>) {
  const get = (name: string) => client.get(Pod, { namespace: 'default', name });
  return {
    get,
    /** Makes a pod of one container on the node, and lets happen what happens at once. */
    run: async (
      name: string,
      container: Partial<core.Container> = {},
      spec: Partial<PodSpec> = {},
      metadata: Pod['metadata'] = {},
    ) => {
      const main = { name: 'main', image: 'example.org/app', ...container };
      await client.create(Pod, {
        metadata: { ...metadata, namespace: 'default', name },
        spec: { nodeName: 'worker', containers: [main], ...spec },
      });
      await pass(0);
    },
    /** The status of the first container. */
    main: async (name: string) => (await get(name))?.status?.containerStatuses?.[0],
    /** What was told of pods, by reason, with how often. */
    events: async (...reasons: readonly string[]) => {
      const { items } = await client.list(CoreEvent, { namespace: 'default' });
      const wanted = items.filter(({ reason = '' }) => reasons.includes(reason));
      return wanted.map(({ type, reason, message, count }) => {
        return `${type} ${reason} x${count}: ${message}`;
      });
    },
  };
}
