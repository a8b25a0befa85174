import { compareQuantities, type Pod, parseQuantity } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { podDemand } from './pod-demand.ts';

/** `QUOTA_PODS=20000 npx vitest run packages/model/src/quotas/pod-demand.prop.test.ts` for the whole proof. */
const numRuns = Number(process.env.QUOTA_PODS ?? 2_000);

type Numbers = Readonly<Record<string, number>>;

interface RandomContainer {
  readonly requests: Numbers;
  /** What is limited and not requested is requested by default. */
  readonly limits: Numbers;
  /** What the kubelet has set aside for it, and what it runs with, while it is resized. */
  readonly allocated: Numbers;
  readonly actual: Numbers;
  readonly isSidecar: boolean;
}

interface RandomPod {
  readonly containers: readonly RandomContainer[];
  readonly init: readonly RandomContainer[];
  readonly whole: Numbers;
  readonly wholeLimits: Numbers;
  readonly overhead: Numbers;
}

const resources = ['cpu', 'memory', 'ephemeral-storage', 'hugepages-2Mi', 'nvidia.com/gpu'];
const wholePodResources = ['cpu', 'memory', 'hugepages-2Mi'];

const numbers = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 0, max: 5_000_000_000 }), {
    noNullPrototype: true,
  });

const rarely = (names: readonly string[]) => fc.oneof(fc.constant({}), numbers(names));

const container = fc.record({
  requests: numbers(resources),
  limits: rarely(resources),
  allocated: rarely(['cpu', 'memory']),
  actual: rarely(['cpu', 'memory']),
  isSidecar: fc.boolean(),
});

const pods: fc.Arbitrary<RandomPod> = fc.record({
  containers: fc.array(container, { minLength: 1, maxLength: 4 }),
  init: fc.array(container, { maxLength: 5 }),
  whole: rarely(wholePodResources),
  wholeLimits: rarely(wholePodResources),
  overhead: rarely(['cpu', 'memory']),
});

/** Amounts are thousandths; each spelling of them means the same. */
function list(amounts: Numbers): Record<string, string> {
  const spelled = Object.entries(amounts).map(([name, thousandths]) => {
    const spellings = [`${thousandths}m`, `${thousandths * 1000}u`, `${thousandths}e-3`];
    return [name, spellings[thousandths % 3] ?? ''] as const;
  });
  return Object.fromEntries(spelled);
}

function forge({ containers, init, whole, wholeLimits, overhead }: RandomPod): Pod {
  const make = (name: string) => (one: RandomContainer, index: number) => ({
    name: `${name}-${index}`,
    image: 'nginx',
    resources: { requests: list(one.requests), limits: list(one.limits) },
    ...(name === 'init' && one.isSidecar && { restartPolicy: 'Always' }),
  });
  const spec = {
    containers: containers.map(make('main')),
    initContainers: init.map(make('init')),
    resources: { requests: list(whole), limits: list(wholeLimits) },
    overhead: list(overhead),
  };
  const report = (name: string) => (one: RandomContainer, index: number) => ({
    name: `${name}-${index}`,
    image: 'nginx',
    imageID: '',
    ready: true,
    restartCount: 0,
    allocatedResources: list(one.allocated),
    resources: { requests: list(one.actual) },
  });
  const status = {
    containerStatuses: containers.map(report('main')),
    initContainerStatuses: init.map(report('init')),
  };
  return { spec, status };
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

function most(
  pod: RandomPod,
  amountOf: (container: RandomContainer) => number | undefined,
): number | undefined {
  const sums = lifeOf(pod).map((running) => {
    const amounts = running.flatMap((one) => amountOf(one) ?? []);
    return amounts.length === 0 ? undefined : amounts.reduce((sum, amount) => sum + amount, 0);
  });
  const known = sums.filter((sum) => sum !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function neededOf(resource: string, pod: RandomPod): number {
  const requested = ({ requests, limits }: RandomContainer) =>
    requests[resource] ?? limits[resource];
  const reserved = (one: RandomContainer) =>
    Math.max(requested(one) ?? 0, one.allocated[resource] ?? 0, one.actual[resource] ?? 0);
  return (
    (wholeRequest(resource, pod, requested) ?? most(pod, reserved) ?? 0) +
    (pod.overhead[resource] ?? 0)
  );
}

/** A pod with limits of its own has requests by default: those of its containers for cpu and memory, else its limits. */
function wholeRequest(
  resource: string,
  pod: RandomPod,
  requested: (container: RandomContainer) => number | undefined,
): number | undefined {
  const own = pod.whole[resource];
  if (own !== undefined || Object.keys(pod.wholeLimits).length === 0) return own;
  const isDivisible = resource === 'cpu' || resource === 'memory';
  return (isDivisible ? most(pod, requested) : undefined) ?? pod.wholeLimits[resource];
}

test('podDemand() is what the scheduler reserves, for any containers, sidecars, limits, resizes, pod-level resources and overhead', () => {
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
