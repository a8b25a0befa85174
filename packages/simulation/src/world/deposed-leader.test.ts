import { labels, NamespaceMap, tenantNamespaceName } from '@liqo/api';
import { Lease, mergePatch, parseTime } from '@liqo/kube';
import { runLiqo } from '@liqo/liqo';
import { electionLease } from '@liqo/manifests';
import { hearOnceThawed } from '@liqo/testkit';
import {
  type ApiCall,
  delayed,
  type FaultPlan,
  firstOf,
  isWrite,
  lostRequest,
  ofCaller,
  refusal,
} from '@liqo/testkit/faults';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createVirtualNode } from '../story/shop.ts';
import { type Blueprint, drawBlueprint } from './blueprint.ts';
import { peerConnector, type Site } from './programs.ts';
import { type Program, SimulatedProcess } from './simulated-process.ts';
import { type SimulatedWorld, startSimulatedWorld } from './simulated-world.ts';

const timeout = 600_000;
/** The default of a leader election. */
const renewDeadlineMs = 10_000;
const original = { namespace: tenantNamespaceName('milan'), name: 'letters' };
const copy = { namespace: tenantNamespaceName('rome'), name: 'letters' };
const [first, second] = ['rome/manager-1', 'rome/manager-2'];

let blueprint: Blueprint;
beforeAll(async () => {
  blueprint = await drawBlueprint(['rome', 'milan']);
}, timeout);

/** The executable itself, as one of two replicas. */
function replica(site: Site, onExit: (code: number) => void): Program {
  return (life) => {
    const stop = new AbortController();
    const { clock, random, identity } = life;
    const connect: typeof life.connect = (serve, name) =>
      life.connect(hearOnceThawed(clock, serve), name);
    const silent = { write: () => undefined };
    const ended = runLiqo(
      [
        'controller-manager',
        '--cluster-id=rome',
        '--enable-leader-election',
        '--health-probe-address=127.0.0.1:0',
      ],
      {
        env: { POD_NAME: identity },
        clock,
        random,
        stdout: silent,
        stderr: silent,
        signal: stop.signal,
        connectHome: async ({ userAgent }) =>
          connect(site.home.serverFor(site.process, userAgent, ['system:masters']), userAgent),
        connectPeer: peerConnector({ ...life, connect }, site),
        isProcess: false,
      },
    );
    void ended.then(onExit);
    return {
      async [Symbol.asyncDispose]() {
        stop.abort();
        await ended;
      },
    };
  };
}

/** `manager-1` leads, and has a copy of one NamespaceMap at the provider; `manager-2` waits. */
async function startTwoManagers() {
  const world = await startSimulatedWorld({ seed: 1, blueprint });
  onTestFinished(() => world[Symbol.asyncDispose]());
  world.processes.get('rome/controller-manager')?.kill();
  const [rome, milan] = [world.cluster('rome'), world.cluster('milan')];
  const exits: { name: string; code: number; atMs: number }[] = [];
  const start = (name: string) => {
    const site = {
      process: name,
      home: rome,
      clusterOf: (peer: string) => world.clusters.get(peer),
    };
    const program = replica(site, (code) => exits.push({ name, code, atMs: world.clock.now() }));
    const process = new SimulatedProcess({
      name,
      identity: name,
      clock: world.clock,
      seed: 1,
      program,
    });
    process.start();
    // Killed, it would leave its health server listening.
    onTestFinished(async () => {
      const stopped = process.stop();
      await world.pass(30_000);
      await stopped;
    });
    return process;
  };
  const lease = async () => {
    const found = await rome.admin.get(Lease, { namespace: 'liqo', name: electionLease });
    return found?.spec;
  };
  const leads = (name: string) =>
    world.until(`${name} leads`, async () => (await lease())?.holderIdentity === name);
  const one = start(first);
  await leads(first);
  start(second);
  const marks = { [labels.replication]: 'true', [labels.replicationDestination]: 'milan' };
  await rome.admin.create(NamespaceMap, {
    metadata: { ...original, labels: { ...marks, [labels.remoteClusterID]: 'milan' } },
    spec: { desiredMapping: { shop: 'shop-1' } },
  });
  const copied = (remote: string) =>
    world.until(`the copy names ${remote}`, async () => {
      const found = await milan.admin.get(NamespaceMap, copy);
      return found?.spec?.desiredMapping?.shop === remote;
    });
  await copied('shop-1');
  const rename = (remote: string) =>
    rome.admin.patch(
      NamespaceMap,
      original,
      mergePatch({ spec: { desiredMapping: { shop: remote } } }),
    );
  return { world, rome, one, exits, lease, leads, copied, rename };
}

function plan(world: SimulatedWorld, faults: FaultPlan): void {
  for (const cluster of world.clusters.values()) cluster.faults.plan = faults;
}

function isLease({ resource }: ApiCall): boolean {
  return resource.startsWith('leases');
}

/** Without those of the Lease, which name the version that they replace and are refused when it is another. */
function writesOf(world: SimulatedWorld, process: string): readonly string[] {
  return world
    .callsOf(process)
    .filter((call) => isWrite(call) && !isLease(call))
    .map(({ verb, path }) => `${verb} ${path}`);
}

test(
  'a manager that was frozen beyond its lease writes nothing when it is thawed, here or at the provider',
  async () => {
    const { world, rome, one, exits, leads, copied, rename } = await startTwoManagers();
    await world.pass(5_000);
    one.clock?.freeze();
    const before = writesOf(world, first).length;
    // The successor leads but cannot write, so that there is work left for the former leader.
    plan(
      world,
      ofCaller(second, (call) => (isWrite(call) && !isLease(call) ? refusal(500) : undefined)),
    );
    await createVirtualNode(rome.admin);
    await rename('shop-2');
    await leads(second);
    await one.clock?.thaw();
    await world.pass(30_000);
    expect(writesOf(world, first).slice(before)).toEqual([]);
    await leads(second);
    plan(world, () => undefined);
    await copied('shop-2');
    expect(exits).toEqual([{ name: first, code: 1, atMs: expect.any(Number) }]);
  },
  timeout,
);

test(
  'a manager whose lease cannot be renewed cancels its work and writes nothing beyond the deadline, and exits',
  async () => {
    const { world, exits, lease, leads, copied, rename } = await startTwoManagers();
    await world.pass(5_000);
    const deadlineMs = parseTime(String((await lease())?.renewTime)) + renewDeadlineMs;
    const lost = ofCaller(first, (call) =>
      isLease(call) && isWrite(call) ? lostRequest('reset') : undefined,
    );
    // A reconcile that is under way at the deadline has its next write still ahead.
    const slow = ofCaller(first, (call) =>
      isLease(call) || isWrite(call) ? undefined : delayed(0, 4_000),
    );
    plan(world, firstOf(lost, slow));
    const writtenBefore = writesOf(world, first).length;
    while (world.clock.now() < deadlineMs) {
      await rename(`shop-${world.clock.now()}`);
      await world.pass(Math.min(500, deadlineMs - world.clock.now()));
    }
    const written = writesOf(world, first);
    expect(written.length).toBeGreaterThan(writtenBefore);
    await rename('shop-last');
    await leads(second);
    await copied('shop-last');
    expect(writesOf(world, first).slice(written.length)).toEqual([]);
    expect(exits).toEqual([{ name: first, code: 1, atMs: expect.any(Number) }]);
    expect(exits[0]?.atMs).toBeLessThan(deadlineMs + 1_000);
  },
  timeout,
);
