import { Lease, mergePatch } from '@liqo/kube';
import { seededRandom } from '@liqo/testkit';
import { always, delayed, isWrite, linkFaults, noFaults } from '@liqo/testkit/faults';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../log/log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { type ElectionWorld, startElectionWorld } from '../testing/election-world.ts';
import { leaseKey } from '../testing/lease-key.ts';
import { startLeaderElection } from './leader-election.ts';
import { LeadershipLostError } from './leadership-term.ts';

/** Whatever else a test shows: there were never two leaders, and everything ended. */
async function startWorld(): Promise<ElectionWorld> {
  const world = await startElectionWorld();
  onTestFinished(async () => {
    await world.end();
    expect(world.violations).toEqual([]);
    expect(world.clock.pendingTimers).toBe(0);
  });
  return world;
}

test('startLeaderElection() takes a lease that nobody has, and writes it as client-go does', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(1_000);
  expect(a.election.isLeader()).toBe(true);
  expect(await world.lease()).toMatchObject({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: leaseKey,
    spec: {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2030-01-01T00:00:00.000000Z',
      renewTime: '2030-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    },
  });
});

test('startLeaderElection() renews while it leads, and nobody else starts', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(500);
  const b = world.start('b');
  await world.run(120_000);
  expect(a.terms).toHaveLength(1);
  expect(b.terms).toHaveLength(0);
  expect(b.leadersSeen).toEqual(['a']);
  expect((await world.lease())?.spec).toMatchObject({
    acquireTime: '2030-01-01T00:00:00.000000Z',
    renewTime: expect.stringMatching(/^2030-01-01T00:0(1:5[89]|2:00)/),
    leaseTransitions: 0,
  });
});

test('startLeaderElection() follows a dead leader after its lease ran out, not before', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(500);
  const b = world.start('b');
  await world.run(10_000);
  a.clock.freeze();
  await world.run(14_000);
  expect(b.terms).toHaveLength(0);
  await world.run(6_000);
  expect(b.election.isLeader()).toBe(true);
  expect((await world.lease())?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
});

test('dispose() ends the work, then releases the lease, and another takes over at its next look', async () => {
  const world = await startWorld();
  const a = world.start('a', { windDownMs: 3_000 });
  await world.run(500);
  const b = world.start('b');
  await world.run(10_000);
  const ended = a.election[Symbol.asyncDispose]();
  await world.run(2_750);
  expect(a.terms[0]?.aborted).toBe(true);
  expect((await world.lease())?.spec?.holderIdentity).toBe('a');
  const released = ended.then(async () => (await world.lease())?.spec);
  await world.run(500);
  expect(await released).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
  await world.run(5_000);
  expect(b.election.isLeader()).toBe(true);
});

test('dispose() holds the lease for as long as the work needs to end', async () => {
  const world = await startWorld();
  const a = world.start('a', { windDownMs: 40_000 });
  await world.run(500);
  const b = world.start('b');
  await world.run(5_000);
  const ended = a.election[Symbol.asyncDispose]();
  await world.run(39_000);
  expect(b.terms).toHaveLength(0);
  await world.run(8_000);
  await ended;
  expect(b.election.isLeader()).toBe(true);
});

test.each(['refused', 'lostRequest', 'failing', 'conflicting'] as const)(
  'startLeaderElection() stops the work before the lease ends when the server is "%s"',
  async (fault) => {
    const world = await startWorld();
    const a = world.start('a');
    await world.run(500);
    const b = world.start('b');
    await world.run(20_000);
    const renewed = Date.parse((await world.lease())?.spec?.renewTime ?? '');
    a.faults.plan = linkFaults[fault];
    let abortedMs = Number.NaN;
    a.terms[0]?.addEventListener('abort', () => {
      abortedMs = world.clock.now() - renewed;
    });
    await world.run(60_000);
    expect(abortedMs).toBeGreaterThanOrEqual(10_000);
    expect(abortedMs).toBeLessThan(10_002);
    expect(a.terms[0]?.reason).toBeInstanceOf(LeadershipLostError);
    expect(b.election.isLeader()).toBe(true);
    a.faults.plan = linkFaults.none;
    await world.run(20_000);
    expect(world.leaders()).toEqual(['b']);
  },
);

test('startLeaderElection() leads again after an outage for everybody', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(5_000);
  a.faults.plan = linkFaults.refused;
  await world.run(60_000);
  expect(world.leaders()).toEqual([]);
  a.faults.plan = linkFaults.none;
  await world.run(6_000);
  expect(world.leaders()).toEqual(['a']);
  expect(a.terms).toHaveLength(2);
});

test.each(['lostAnswer', 'garbledAnswer'] as const)(
  'startLeaderElection() recognises renewals that took effect when answers are "%s"',
  async (fault) => {
    const world = await startWorld();
    const a = world.start('a');
    await world.run(5_000);
    const b = world.start('b');
    a.faults.plan = linkFaults[fault];
    await world.run(120_000);
    expect(a.terms.map((term) => term.aborted)).toEqual([false]);
    expect(b.terms).toHaveLength(0);
  },
);

test('startLeaderElection() recognises a lease that it created without hearing of it', async () => {
  const world = await startWorld();
  const a = world.start('a');
  a.faults.plan = linkFaults.lostAnswer;
  await world.run(9_000);
  expect(a.election.isLeader()).toBe(true);
});

test('startLeaderElection() counts its time from when a renewal was sent, not from its late answer', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(5_000);
  a.faults.plan = always(delayed(1_000));
  const before = (await world.lease())?.spec?.renewTime;
  while ((await world.lease())?.spec?.renewTime === before) await world.run(50);
  const sent = Date.parse((await world.lease())?.spec?.renewTime ?? '');
  await world.run(1_100);
  a.faults.plan = linkFaults.refused;
  let abortedMs = Number.NaN;
  a.terms[0]?.addEventListener('abort', () => {
    abortedMs = world.clock.now() - sent;
  });
  await world.run(20_000);
  expect(abortedMs).toBeGreaterThanOrEqual(10_000);
  expect(abortedMs).toBeLessThan(10_002);
});

test('startLeaderElection() survives an event loop that stands still for 5 s', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(500);
  const b = world.start('b');
  await world.run(10_000);
  a.clock.freeze();
  await world.run(5_000);
  await a.clock.thaw();
  await world.run(30_000);
  expect(a.terms.map((term) => term.aborted)).toEqual([false]);
  expect(b.terms).toHaveLength(0);
});

test('startLeaderElection() has stopped the work when it wakes up too late, before it renews', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(10_000);
  const writes = () => a.faults.calls.filter(isWrite).length;
  const renewals = writes();
  a.clock.freeze();
  await world.run(12_000);
  expect(a.election.isLeader()).toBe(false);
  const ended = new Promise((resolve) =>
    a.terms[0]?.addEventListener('abort', () => resolve(writes())),
  );
  await a.clock.thaw();
  expect(await ended).toBe(renewals);
  await world.run(5_000);
  expect(a.terms.map((term) => term.aborted)).toEqual([true, false]);
});

test('startLeaderElection() wakes up as a follower when somebody else leads meanwhile', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(500);
  const b = world.start('b');
  await world.run(10_000);
  a.clock.freeze();
  await world.run(30_000);
  expect(world.leaders()).toEqual(['b']);
  await a.clock.thaw();
  await world.run(20_000);
  expect(a.terms.map((term) => term.aborted)).toEqual([true]);
  expect(b.terms.map((term) => term.aborted)).toEqual([false]);
  expect(a.leadersSeen).toEqual(['a', 'b']);
});

test.each([3_600_000, -3_600_000])(
  'startLeaderElection() does not care that its wall clock is wrong by %d ms',
  async (skewMs) => {
    const world = await startWorld();
    const a = world.start('a');
    await world.run(500);
    const b = world.start('b', { skewMs });
    await world.run(60_000);
    expect(world.leaders()).toEqual(['a']);
    expect(b.terms).toHaveLength(0);
    a.clock.skewMs = -skewMs;
    await world.run(60_000);
    expect(world.leaders()).toEqual(['a']);
    a.clock.freeze();
    await world.run(25_000);
    expect(world.leaders()).toEqual(['b']);
  },
);

test('startLeaderElection() waits for a whole lease at first sight, however old the lease looks', async () => {
  const world = await startWorld();
  await world.admin.create(Lease, {
    metadata: leaseKey,
    spec: {
      holderIdentity: 'somebody',
      leaseDurationSeconds: 30,
      renewTime: '2001-01-01T00:00:00.000000Z',
    },
  });
  const a = world.start('a');
  await world.run(29_500);
  expect(a.terms).toHaveLength(0);
  await world.run(6_000);
  expect(a.election.isLeader()).toBe(true);
});

test('startLeaderElection() creates a deleted lease anew without interrupting the leader', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(500);
  const b = world.start('b');
  await world.run(30_000);
  await world.admin.delete(Lease, leaseKey);
  await world.run(30_000);
  expect((await world.lease())?.spec?.holderIdentity).toBe('a');
  expect(a.terms.map((term) => term.aborted)).toEqual([false]);
  expect(b.terms).toHaveLength(0);
});

test('startLeaderElection() does not follow into a deleted lease before its leader must have stopped', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(500);
  const b = world.start('b');
  await world.run(20_000);
  await world.admin.delete(Lease, leaseKey);
  a.faults.plan = linkFaults.lostRequest;
  await world.run(11_000);
  expect(b.terms).toHaveLength(0);
  await world.run(15_000);
  expect(world.leaders()).toEqual(['b']);
});

test('startLeaderElection() does not take a deleted lease for its own because it was once', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(500);
  const b = world.start('b');
  await world.run(10_000);
  a.clock.freeze();
  await world.run(30_000);
  expect(world.leaders()).toEqual(['b']);
  b.clock.freeze();
  await world.admin.delete(Lease, leaseKey);
  await a.clock.thaw();
  await world.run(5_000);
  expect(a.terms).toHaveLength(1);
  await b.clock.thaw();
  await world.run(20_000);
  expect(world.leaders()).toEqual(['b']);
});

test('startLeaderElection() keeps what others wrote into the lease', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(5_000);
  const labels = { team: 'x' };
  await world.admin.patch(Lease, leaseKey, mergePatch({ metadata: { labels } }));
  await world.run(30_000);
  expect((await world.lease())?.metadata.labels).toEqual(labels);
  expect(a.terms.map((term) => term.aborted)).toEqual([false]);
});

test('startLeaderElection() stops at once when it sees another holder', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(10_000);
  const stolen = { holderIdentity: 'thief', leaseDurationSeconds: 15 };
  await world.admin.patch(Lease, leaseKey, mergePatch({ spec: stolen }));
  await world.run(2_250);
  expect(a.terms.map((term) => term.aborted)).toEqual([true]);
  expect(a.terms[0]?.reason).toMatchObject({
    message: 'Cannot go on leading: "thief" holds the lease',
  });
});

test('startLeaderElection() ends with what the work failed with, and releases the lease', async () => {
  const world = await startWorld();
  const a = world.start('a', { work: () => Promise.reject(new Error('out of luck')) });
  await world.run(3_000);
  await expect(a.election.done).rejects.toThrow('out of luck');
  expect((await world.lease())?.spec?.holderIdentity).toBe('');
});

test('startLeaderElection() keeps leading when the work has nothing left to do', async () => {
  const world = await startWorld();
  const a = world.start('a', { work: () => Promise.resolve() });
  await world.run(60_000);
  expect(a.election.isLeader()).toBe(true);
  expect(a.terms).toHaveLength(1);
});

test('startLeaderElection() releases also after a renewal whose answer it did not wait for', async () => {
  const world = await startWorld();
  const a = world.start('a');
  await world.run(5_000);
  a.faults.plan = linkFaults.lostAnswer;
  await world.run(2_250);
  const ended = a.election[Symbol.asyncDispose]();
  a.faults.plan = linkFaults.none;
  await world.run(1_000);
  await ended;
  expect((await world.lease())?.spec?.holderIdentity).toBe('');
});

test('startLeaderElection() reports who leads as a metric', async () => {
  const world = await startWorld();
  const metrics = new Metrics();
  const status = async () =>
    /leader_election_master_status\{name="controller-manager"\} (\d)/.exec(
      await metrics.text(),
    )?.[1];
  const election = startLeaderElection({
    client: world.admin,
    lease: leaseKey,
    identity: 'a',
    clock: world.clock,
    random: seededRandom(1),
    log: silentLogger,
    metrics,
    onStartedLeading: async () => undefined,
  });
  expect(await status()).toBe('0');
  await world.run(500);
  expect(await status()).toBe('1');
  await election[Symbol.asyncDispose]();
  expect(await status()).toBe('0');
});

test('startLeaderElection() refuses times that cannot work', async () => {
  const world = await startWorld();
  const start = (times: object) =>
    startLeaderElection({
      client: world.admin,
      lease: leaseKey,
      identity: 'a',
      clock: world.clock,
      random: seededRandom(1),
      log: silentLogger,
      onStartedLeading: async () => undefined,
      ...times,
    });
  expect(() => start({ leaseDurationMs: 10_000 })).toThrow(
    'Cannot elect a leader by lease "liqo/controller-manager": a leader has to stop (renewDeadlineMs 10000) before its lease ends (leaseDurationMs 10000)',
  );
  expect(() => start({ retryPeriodMs: 10_000 })).toThrow('a leader has to renew');
});

test('startLeaderElection() lets the work write while it drains on purpose, and not after it has ended', async () => {
  const world = await startWorld();
  const a = world.start('a', { windDownMs: 25_000 });
  await world.run(10_000);
  expect(a.fences.map((mayWrite) => mayWrite())).toEqual([true]);
  const ended = a.election[Symbol.asyncDispose]();
  await world.run(20_000);
  expect(a.election.isLeader()).toBe(false);
  expect(a.fences.map((mayWrite) => mayWrite())).toEqual([true]);
  await world.run(10_000);
  await ended;
  expect(a.fences.map((mayWrite) => mayWrite())).toEqual([false]);
});

test('startLeaderElection() never lets the work of a lost term write again, even when it leads anew', async () => {
  const world = await startWorld();
  const a = world.start('a', { windDownMs: 20_000 });
  await world.run(10_000);
  a.clock.freeze();
  await world.run(12_000);
  expect(a.fences.map((mayWrite) => mayWrite())).toEqual([false]);
  await a.clock.thaw();
  await world.run(5_000);
  expect(a.election.leader()).toBe('a');
  expect(a.fences.map((mayWrite) => mayWrite())).toEqual([false]);
  await world.run(30_000);
  expect(a.fences.map((mayWrite) => mayWrite())).toEqual([false, true]);
});

test('startLeaderElection() fences the drain of a term whose lease runs out meanwhile', async () => {
  const world = await startWorld();
  const a = world.start('a', { windDownMs: 60_000 });
  await world.run(10_000);
  void a.election[Symbol.asyncDispose]();
  a.faults.plan = linkFaults.lostRequest;
  await world.run(15_000);
  expect(a.fences.map((mayWrite) => mayWrite())).toEqual([false]);
  a.faults.plan = noFaults;
  await world.run(10_000);
  expect(a.fences.map((mayWrite) => mayWrite())).toEqual([false]);
});
