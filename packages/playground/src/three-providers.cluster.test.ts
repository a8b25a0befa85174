import { labels } from '@liqo/api';
import {
  ConfigMap,
  EndpointSlice,
  isConditionTrue,
  mergePatch,
  Pod,
  Secret,
  Service,
} from '@liqo/kube';
import type { Minicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { type ApiCall, FaultyCalls, isWrite } from '@liqo/testkit/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedKubernetes } from './embedded-kubernetes.ts';
import { startWorld } from './start-world.ts';
import type { World } from './world.ts';

const providers = ['milan', 'turin', 'oslo'] as const;
const [namespace, remoteNamespace] = ['shop', 'shop-rome'];
const patient = { timeoutMs: 60_000 };

/** The kinds that are reflected to every provider, whatever runs there. */
const reflected = new Set(['configmaps', 'secrets', 'services']);
const slices = 'shadowendpointslices.offloading.liqo.io';

/** The virtual kubelets of three providers reflect the objects of one namespace. */
describe('a namespace that extends to three providers', () => {
  const clock = systemClock;
  const calls = new Map<string, FaultyCalls>();
  let world: World<Minicluster>;

  const callsAt = (cluster: string) => {
    const known = calls.get(cluster) ?? new FaultyCalls({ clock });
    calls.set(cluster, known);
    return known;
  };
  const atRome = () => world.cluster('rome').client;
  const at = (provider: string) => world.cluster(provider).client;
  const local = (name: string) => ({ namespace, name });
  const remote = (name: string) => ({ namespace: remoteNamespace, name });

  /** How often each copy has been written at a provider. */
  function writesAt(provider: string, counts: (call: ApiCall) => boolean = isReflection) {
    const writes = new Map<string, number>();
    for (const call of callsAt(provider).calls) {
      if (!isWrite(call) || call.namespace !== remoteNamespace || !counts(call)) continue;
      const object = `${call.resource}/${call.name}`;
      writes.set(object, (writes.get(object) ?? 0) + 1);
    }
    return Object.fromEntries(writes);
  }

  const isReflection = ({ resource }: ApiCall) => reflected.has(resource);
  const ours = (provider: string) =>
    Object.fromEntries(
      Object.entries(writesAt(provider)).filter(([object]) => !object.includes('round-')),
    );

  /** A copy that has arrived everywhere has passed through the queue of each virtual kubelet. */
  async function passRound(nth: number): Promise<void> {
    const name = `round-${nth}`;
    await atRome().create(ConfigMap, { metadata: local(name) });
    for (const provider of providers) {
      await eventually(async () => {
        expect(await at(provider).get(ConfigMap, remote(name))).toBeDefined();
      }, patient);
    }
  }

  beforeAll(async () => {
    const kubernetes = await embeddedKubernetes({
      clock,
      random: systemRandom,
      interceptorOf: (cluster) => callsAt(cluster).intercept,
    });
    world = await startWorld({
      kubernetes,
      consumer: 'rome',
      providers,
      virtualNodes: providers.map((provider) => ({ name: `node-${provider}`, provider })),
      offloaded: [namespace],
    });
    await atRome().create(ConfigMap, { metadata: local('settings'), data: { MODE: 'fast' } });
    await atRome().create(Secret, { metadata: local('password'), data: { PASSWORD: 'YQ==' } });
    await atRome().create(Service, {
      metadata: local('web'),
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    for (const provider of providers) {
      const { spec } = kubernetes.website;
      await atRome().create(Pod, {
        metadata: { namespace, name: `web-${provider}`, labels: { app: 'web' } },
        spec: {
          ...spec,
          containers: spec?.containers ?? [],
          nodeSelector: { [labels.remoteClusterID]: provider },
        },
      });
    }
  }, 240_000);

  afterAll(() => world?.[Symbol.asyncDispose](), 60_000);

  async function endpointsAt(client: Minicluster['client'], where: string) {
    const labelSelector = 'kubernetes.io/service-name=web';
    const { items } = await client.list(EndpointSlice, { namespace: where, labelSelector });
    const ready = items.flatMap(({ endpoints }) =>
      (endpoints ?? []).filter(({ conditions }) => conditions?.ready),
    );
    return ready.flatMap(({ addresses }) => addresses).toSorted();
  }

  test('has the endpoints of the pods of all providers at each of them', async () => {
    await eventually(async () => {
      for (const provider of providers) {
        const pod = await atRome().get(Pod, local(`web-${provider}`));
        expect(isConditionTrue(pod?.status?.conditions, 'Ready'), provider).toBe(true);
      }
      const addresses = await endpointsAt(atRome(), namespace);
      expect(addresses).toHaveLength(providers.length);
      for (const provider of providers) {
        expect(await endpointsAt(at(provider), remoteNamespace), provider).toEqual(addresses);
      }
    }, patient);
  });

  test('writes each object once at each provider, and once more when it changes', async () => {
    await passRound(1);
    const once = {
      'configmaps/settings': 1,
      'secrets/password': 1,
      'services/web': 1,
    };
    for (const provider of providers) expect(ours(provider), provider).toMatchObject(once);
    const change = mergePatch({ data: { MODE: 'slow' } });
    await atRome().patch(ConfigMap, local('settings'), change);
    await eventually(async () => {
      for (const provider of providers) {
        const copy = await at(provider).get(ConfigMap, remote('settings'));
        expect(copy?.data, provider).toEqual({ MODE: 'slow' });
      }
    }, patient);
    await passRound(2);
    for (const provider of providers) {
      expect(ours(provider), provider).toMatchObject({ ...once, 'configmaps/settings': 2 });
    }
  });

  test('writes nothing at rest, neither at a provider nor at the consumer', async () => {
    const states = () =>
      providers.map((provider) => [
        ours(provider),
        writesAt(provider, ({ resource }) => resource === slices),
      ]);
    const originals = () =>
      callsAt('rome').calls.filter(
        (call) =>
          isWrite(call) &&
          call.namespace === namespace &&
          (reflected.has(call.resource) || call.resource === 'endpointslices.discovery.k8s.io') &&
          call.name !== undefined,
      ).length;
    const before = { states: states(), originals: originals() };
    expect(before.originals).toBeGreaterThan(0);
    for (const provider of providers) {
      const written = writesAt(provider, ({ resource }) => resource === slices);
      expect(Object.keys(written), provider).toHaveLength(1);
    }
    for (const nth of [3, 4, 5, 6, 7]) await passRound(nth);
    expect({ states: states(), originals: originals() }).toEqual(before);
  });

  test('has an object again at the provider where it was deleted, and is written nowhere else', async () => {
    const [first, ...others] = providers;
    const before = others.map(ours);
    const copy = await at(first).get(ConfigMap, remote('settings'));
    await at(first).delete(ConfigMap, remote('settings'));
    await eventually(async () => {
      const repaired = await at(first).get(ConfigMap, remote('settings'));
      expect(repaired?.metadata.uid).not.toBe(copy?.metadata.uid);
      expect(repaired?.data).toEqual({ MODE: 'slow' });
    }, patient);
    await passRound(8);
    expect(others.map(ours)).toEqual(before);
  });
});
