import { compareQuantities, type Pod, parseQuantity } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { podDemand } from './pod-demand.ts';

/** `QUOTA_PODS=20000 npx vitest run packages/model/src/quotas/pod-demand.prop.test.ts` for the whole proof. */
const numRuns = Number(process.env.QUOTA_PODS ?? 500);

type Numbers = Readonly<Record<string, number>>;

interface RandomContainer {
  readonly requests: Numbers;
  readonly isSidecar: boolean;
}

interface RandomPod {
  readonly containers: readonly RandomContainer[];
  readonly init: readonly RandomContainer[];
  readonly whole: Numbers;
  readonly overhead: Numbers;
}

const resources = ['cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'nvidia.com/gpu'];
const wholePodResources = ['cpu', 'memory', 'hugepages-2Mi'];

const numbers = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 0, max: 5_000_000_000 }), {
    noNullPrototype: true,
  });

const container = fc.record({ requests: numbers(resources), isSidecar: fc.boolean() });

const pods: fc.Arbitrary<RandomPod> = fc.record({
  containers: fc.array(container, { minLength: 1, maxLength: 4 }),
  init: fc.array(container, { maxLength: 5 }),
  whole: fc.oneof(fc.constant({}), numbers(wholePodResources)),
  overhead: fc.oneof(fc.constant({}), numbers(['cpu', 'memory'])),
});

/** Amounts are thousandths; each spelling of them means the same. */
function list(amounts: Numbers): Record<string, string> {
  const spelled = Object.entries(amounts).map(([name, thousandths]) => {
    const spellings = [`${thousandths}m`, `${thousandths * 1000}u`, `${thousandths}e-3`];
    return [name, spellings[thousandths % 3] ?? ''] as const;
  });
  return Object.fromEntries(spelled);
}

function forge({ containers, init, whole, overhead }: RandomPod): Pod {
  const make = (name: string) => (one: RandomContainer, index: number) => ({
    name: `${name}-${index}`,
    image: 'nginx',
    resources: { requests: list(one.requests) },
    ...(name === 'init' && one.isSidecar && { restartPolicy: 'Always' }),
  });
  const spec = {
    containers: containers.map(make('main')),
    initContainers: init.map(make('init')),
    resources: { requests: list(whole) },
    overhead: list(overhead),
  };
  return { spec };
}

/**
 * The scheduler's rule, told as the life of a pod: at each moment some containers run, and of each resource the pod needs what
 * the moment with most of it needs.
 */
function lifeOf({ containers, init }: RandomPod): readonly (readonly RandomContainer[])[] {
  const sidecarsBefore = (index: number) => init.slice(0, index).filter((one) => one.isSidecar);
  const starting = init.map((one, index) => [...sidecarsBefore(index), one]);
  return [...starting, [...sidecarsBefore(init.length), ...containers]];
}

function neededOf(resource: string, pod: RandomPod): number {
  const sums = lifeOf(pod).map((running) =>
    running.reduce((sum, { requests }) => sum + (requests[resource] ?? 0), 0),
  );
  return (pod.whole[resource] ?? Math.max(...sums)) + (pod.overhead[resource] ?? 0);
}

test('podDemand() is what the scheduler reserves, for any containers, sidecars, pod-level requests and overhead', () => {
  fc.assert(
    fc.property(pods, (pod) => {
      const demand = podDemand(forge(pod));
      for (const resource of resources) {
        const needed = parseQuantity(`${neededOf(resource, pod)}m`);
        const found = demand.get(resource) ?? parseQuantity('0');
        expect({ resource, pod, difference: compareQuantities(found, needed) }).toEqual({
          resource,
          pod,
          difference: 0,
        });
      }
      expect(demand.get('pods')).toMatchObject({ mantissa: 1n });
    }),
    { numRuns },
  );
});
