import { ForeignCluster, Identity, Tenant, tenantNamespaceName } from '@liqo/api';
import { Namespace, Secret } from '@liqo/kube';
import { systemClock } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Interruption } from '../surroundings.ts';
import { Death, Mortality } from '../testing/mortal-client.ts';
import { type PeeringWorld, startPeeringWorld } from '../testing/peering-world.ts';
import { successful } from '../testing/run-here.ts';
import { authenticate } from './authenticate.ts';
import type { Peering } from './peering.ts';
import { preparePeering } from './prepare-peering.ts';
import { unpeer } from './unpeer.ts';

const atRome = 'liqo-tenant-milan';
const atMilan = 'liqo-tenant-rome';
const withoutSlice = 'peer --networking-disabled --create-resource-slice=false --timeout 30s';
const timeoutMs = 120_000;

describe('peering two clusters', () => {
  let world: PeeringWorld;

  beforeAll(async () => {
    world = await startPeeringWorld();
  }, timeoutMs);

  afterAll(() => world[Symbol.asyncDispose]());

  /** What a handshake leaves, as far as liqoctl writes it. */
  async function handshake() {
    const { rome, milan } = world;
    const tenant = await milan.client.get(Tenant, { namespace: atMilan, name: 'rome' });
    const name = 'controlplane-milan';
    const identity = await rome.client.get(Identity, { namespace: atRome, name });
    const signed = { namespace: atRome, name: 'liqo-signed-nonce' };
    const kubeconfig = { namespace: atRome, name: `kubeconfig-${name}` };
    return {
      tenant: tenant && { uid: tenant.metadata.uid, spec: tenant.spec },
      identity: identity && { uid: identity.metadata.uid, spec: identity.spec },
      signed: (await rome.client.get(Secret, signed))?.data,
      kubeconfig: (await rome.client.get(Secret, kubeconfig))?.data,
    };
  }

  function mortals(mortality: Mortality): Peering {
    return preparePeering({
      consumer: { client: mortality.of(world.rome.client), clusterID: 'rome' },
      provider: { client: mortality.of(world.milan.client), clusterID: 'milan' },
      clock: systemClock,
      signal: new AbortController().signal,
      timeoutMs: 60_000,
    });
  }

  /** How many writes there were, if it did not die. */
  async function tryToEnd(
    work: (peering: Peering) => Promise<unknown>,
    lastWrite?: number,
  ): Promise<{ readonly writes: number; readonly died: boolean }> {
    const mortality = new Mortality(lastWrite);
    try {
      await work(mortals(mortality));
      return { writes: mortality.writes, died: false };
    } catch (error) {
      if (!(error instanceof Error && error.cause instanceof Death)) throw error;
      return { writes: mortality.writes, died: true };
    }
  }

  const undo = (peering: Peering) => unpeer(peering, { deletesNamespaces: true });

  async function expectNothingLeft(): Promise<void> {
    await eventually(async () => {
      for (const { client } of [world.rome, world.milan]) {
        expect((await client.list(ForeignCluster)).items).toEqual([]);
        const selection = { labelSelector: 'liqo.io/remote-cluster-id' };
        expect((await client.list(Namespace, selection)).items).toEqual([]);
        expect((await client.list(Secret, selection)).items).toEqual([]);
      }
    });
  }

  test('peer tells each step with its cluster and its duration', async () => {
    const { stdout, stderr } = await successful(world.atBoth(withoutSlice));
    expect(stdout).toBe('');
    const lines = stderr.split('\n').filter((line) => line.startsWith('✔'));
    expect(lines.map((line) => line.replace(/^✔ (.*) \(\d.* s\)$/, '$1'))).toEqual([
      '(local) Tenant namespace "liqo-tenant-milan" is created',
      '(remote) Tenant namespace "liqo-tenant-rome" is created',
      '(remote) Nonce for "rome" is asked for',
      '(remote) Nonce for "rome" is generated',
      '(local) Nonce of "milan" is handed over',
      '(local) Nonce is signed',
      '(remote) Tenant "rome" is created',
      '(remote) Tenant "rome" is accepted',
      '(local) Identity "controlplane-milan" is created',
      '(local) Identity "controlplane-milan" has its kubeconfig',
    ]);
  });

  test('peer gives the consumer an identity that the provider accepts', async () => {
    await eventually(async () => {
      const milan = await world.rome.client.get(ForeignCluster, { name: 'milan' });
      expect(milan?.status).toMatchObject({
        role: 'Provider',
        conditions: [{ type: 'APIServerStatus', status: 'Established' }],
      });
      const rome = await world.milan.client.get(ForeignCluster, { name: 'rome' });
      expect(rome?.status).toMatchObject({ role: 'Consumer' });
    });
  });

  test('peer twice changes nothing, and asks for no other signature', async () => {
    const before = await handshake();
    const { stderr } = await successful(world.atBoth(withoutSlice));
    expect(stderr).toContain('(local) Tenant namespace "liqo-tenant-milan" is there already');
    expect(stderr).not.toContain('Nonce');
    expect(await handshake()).toEqual(before);
    await successful(world.atBoth('authenticate'));
    expect(await handshake()).toEqual(before);
  });

  test('info says until when the certificate is valid', async () => {
    const { stdout: peer } = await successful(world.atRome('info peer milan -o json'));
    const { certificates } = JSON.parse(peer).authentication;
    const expires = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:]{8}Z$/);
    expect(certificates).toEqual([{ identity: 'controlplane-milan', expires }]);
    const [{ expires: when }] = certificates;
    const { stdout: boxes } = await successful(world.atRome('info peer milan'));
    expect(boxes).toContain(`controlplane-milan: valid until ${when}`);
    const { stdout: info } = await successful(world.atRome('info'));
    expect(info).toMatch(new RegExp(`Certificate expires: +${when}`));
  });

  test('get kubeconfig prints the kubeconfig of an Identity', async () => {
    const line = 'get kubeconfig controlplane-milan --remote-cluster-id milan';
    const { code, stdout, stderr } = await world.atRome(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const path = await world.file('rome-at-milan', stdout);
    const { stdout: nonce } = await world.atRome(
      `get resourceslices -n ${atMilan} -o name --kubeconfig ${path}`,
    );
    expect(nonce).toBe('');
  });

  test('unpeer ends it, twice, and keeps the tenant namespaces', async () => {
    const first = await successful(world.atBoth('unpeer'));
    expect(first.stderr).toMatch(/"rome" has nothing left at "milan"\n$/);
    expect(await handshake()).toEqual({});
    await successful(world.atBoth('unpeer'));
    for (const [cluster, name] of [
      [world.rome, atRome],
      [world.milan, atMilan],
    ] as const) {
      expect(await cluster.client.get(Namespace, { name })).toBeDefined();
    }
  });

  test('unpeer --delete-namespaces leaves nothing', async () => {
    await successful(world.atBoth('unpeer --delete-namespaces'));
    await expectNothingLeft();
    await successful(world.atBoth('unpeer --delete-namespaces'));
  });

  test('authenticate uses the tenant namespaces that are named', async () => {
    const line = 'authenticate --namespace about-milan --remote-namespace about-rome';
    await successful(world.atBoth(line));
    const identity = await world.rome.client.get(Identity, {
      namespace: 'about-milan',
      name: 'controlplane-milan',
    });
    expect(identity?.spec.namespace).toBe('about-rome');
    await successful(world.atBoth('unpeer --delete-namespaces'));
    await expectNothingLeft();
  });

  test('authenticate and unpeer come to the same end after a death at each write', async () => {
    const first = await tryToEnd((peering) => authenticate(peering));
    const last = await tryToEnd(undo);
    expect(first.writes).toBeGreaterThan(4);
    const most = Math.max(first.writes, last.writes);
    for (let atWrite = 1; atWrite <= most; atWrite += 1) {
      await tryToEnd((peering) => authenticate(peering), atWrite);
      await tryToEnd((peering) => authenticate(peering));
      const { tenant, identity, kubeconfig } = await handshake();
      expect({ atWrite, tenant, identity, kubeconfig }).toEqual({
        atWrite,
        tenant: expect.anything(),
        identity: expect.anything(),
        kubeconfig: expect.anything(),
      });
      await tryToEnd(undo, atWrite);
      await tryToEnd(undo);
      await expectNothingLeft();
    }
  }, 300_000);

  test('unpeer ends each half of a handshake', async () => {
    const { writes } = await tryToEnd((peering) => authenticate(peering));
    await tryToEnd(undo);
    for (let atWrite = 1; atWrite <= writes; atWrite += 1) {
      await tryToEnd((peering) => authenticate(peering), atWrite);
      await tryToEnd(undo);
      await expectNothingLeft();
    }
  }, 300_000);

  test('unauthenticate takes back the identity, also when it is repeated', async () => {
    await successful(world.atBoth('authenticate'));
    const first = await successful(world.atBoth('unauthenticate --timeout 60s'));
    expect(first.stderr).toContain('(local) Identity "controlplane-milan"');
    expect(first.stderr).toContain('(remote) Tenant "rome"');
    expect(await handshake()).toEqual({});
    const { stderr } = await successful(world.atBoth('unauthenticate'));
    expect(stderr).toBe('');
    await successful(world.atBoth('unpeer --delete-namespaces'));
    await expectNothingLeft();
  });

  test('the global flags of Liqo label what is made, and report each request', async () => {
    const global = '--global-labels team=web --global-annotations note=x --skip-confirm -v';
    const { stderr } = await successful(world.atBoth(`authenticate ${global}`));
    expect(stderr).toMatch(
      /^POST 127\.0\.0\.1:\d+\/api\/v1\/namespaces\?fieldManager=liqoctl\S* 201 \(0\.\d s\)$/m,
    );
    const { rome, milan } = world;
    const nonce = { namespace: atMilan, name: 'liqo-nonce' };
    const signed = { namespace: atRome, name: 'liqo-signed-nonce' };
    const made = await Promise.all([
      rome.client.get(Namespace, { name: atRome }),
      milan.client.get(Namespace, { name: atMilan }),
      rome.client.get(Secret, signed),
      milan.client.get(Secret, nonce),
      milan.client.get(Tenant, { namespace: atMilan, name: 'rome' }),
      rome.client.get(Identity, { namespace: atRome, name: 'controlplane-milan' }),
    ]);
    for (const object of made) {
      expect(object?.metadata).toMatchObject({
        labels: { team: 'web', 'liqo.io/remote-cluster-id': expect.any(String) },
        annotations: { note: 'x' },
      });
    }
    const printing = `create nonce --remote-cluster-id turin -o json ${global}`;
    const { items } = JSON.parse((await successful(world.atMilan(printing))).stdout);
    expect(items).toMatchObject([
      { metadata: { labels: { team: 'web' }, annotations: { note: 'x' } } },
      { metadata: { labels: { team: 'web' }, annotations: { note: 'x' } } },
    ]);
    await successful(world.atBoth('unpeer --delete-namespaces'));
    await expectNothingLeft();
  });

  test('Ctrl-C says what there is, and which command goes on', async () => {
    const stop = new AbortController();
    const interrupted = world.atBoth(withoutSlice, { signal: stop.signal });
    await eventually(async () => {
      const namespace = { name: tenantNamespaceName('rome') };
      expect(await world.milan.client.get(Namespace, namespace)).toBeDefined();
    });
    stop.abort(new Interruption(130));
    const { code, stderr } = await interrupted;
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /✖ Interrupted(?: while .*)?: the tenant namespace "liqo-tenant-milan" in "rome" exists, .*\n {2}Run it again to go on, or undo it with liqoctl unpeer --remote-kubeconfig \S+\n$/,
    );
    await successful(world.atBoth(withoutSlice));
    await successful(world.atBoth('unpeer --delete-namespaces'));
  });
});
