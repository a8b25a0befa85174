import { EventEmitter } from 'node:events';
import { Lease } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import { linkFaults } from '@liqo/testkit/faults';
import { expect, onTestFinished, test } from 'vitest';
import { LeadershipLostError } from '../election/leadership-term.ts';
import { createLogger, silentLogger } from '../log/log.ts';
import { type ManagerOptions, startManager } from './manager.ts';
import { onlyLeader, type Runnable, runDisposable } from './runnable.ts';

/** Parts that write down what happens to them. */
function diary() {
  const lines: string[] = [];
  const part = (
    name: string,
    windDown: () => Promise<unknown> = async () => undefined,
  ): Runnable => ({
    name,
    start: async (signal) => {
      lines.push(`${name} starts`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await windDown();
      lines.push(`${name} ends`);
    },
  });
  return { lines, part };
}

async function start(runnables: readonly Runnable[], options: Partial<ManagerOptions> = {}) {
  const clock = new VirtualClock();
  const signals = new EventEmitter();
  const exits: number[] = [];
  const manager = await startManager({
    runnables,
    clock,
    random: seededRandom(1),
    log: silentLogger,
    signals,
    exit: (code) => exits.push(code),
    ...options,
  });
  onTestFinished(async () => {
    const disposed = manager[Symbol.asyncDispose]();
    await clock.advance(60_000);
    await disposed;
  });
  return { manager, clock, signals, exits };
}

const lease = { namespace: 'liqo', name: 'manager' };

async function startCluster(): Promise<TestCluster> {
  const cluster = await startTestCluster({ namespaces: ['liqo'] });
  onTestFinished(() => cluster[Symbol.asyncDispose]());
  return cluster;
}

function electionOf(cluster: TestCluster, identity: string) {
  return { client: cluster.clientOf(identity), lease, identity };
}

async function holderIn({ admin }: TestCluster): Promise<string | undefined> {
  return (await admin.get(Lease, lease))?.spec?.holderIdentity;
}

const forever = () => new Promise<void>(() => undefined);

test.each(['SIGTERM', 'SIGINT'])('startManager() stops everything on %s', async (signal) => {
  const { lines, part } = diary();
  const { manager, signals, exits } = await start([part('a'), part('b')]);
  expect(lines).toEqual(['a starts', 'b starts']);
  signals.emit(signal);
  await manager.done;
  expect(lines.slice(2)).toEqual(['a ends', 'b ends']);
  expect(exits).toEqual([]);
  expect(signals.listenerCount(signal)).toBe(0);
});

test('startManager() stops the parts of a leader before the others', async () => {
  const { lines, part } = diary();
  const { manager, clock } = await start([
    part('informers'),
    onlyLeader(part('controllers', () => new Promise<void>((r) => clock.after(3_000, r)))),
  ]);
  manager.stop('test');
  await clock.advance(2_000);
  expect(lines).toEqual(['informers starts', 'controllers starts']);
  await clock.advance(1_000);
  await manager.done;
  expect(lines.slice(2)).toEqual(['controllers ends', 'informers ends']);
});

test('startManager() stops everything and reports the first failure when a part fails', async () => {
  const { lines, part } = diary();
  const failing = { name: 'webhook', start: () => Promise.reject(new Error('port taken')) };
  const { manager } = await start([part('a'), failing]);
  await expect(manager.done).rejects.toThrow('Cannot keep "webhook" running: port taken');
  expect(lines).toEqual(['a starts', 'a ends']);
});

test('startManager() goes on when a part has nothing left to do', async () => {
  const { lines, part } = diary();
  const { manager, clock } = await start([
    part('a'),
    { name: 'migration', start: async () => undefined },
  ]);
  await clock.advance(60_000);
  expect(lines).toEqual(['a starts']);
  manager.stop('test');
  await manager.done;
});

test('startManager() does not mind a part that ends by throwing what its signal says', async () => {
  const { manager } = await start([
    {
      name: 'a',
      start: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    },
  ]);
  manager.stop('test');
  await expect(manager.done).resolves.toBeUndefined();
});

test('startManager() gives up on what does not stop in time, and says what that is', async () => {
  const { lines, part } = diary();
  const stubborn = onlyLeader({ name: 'controllers', start: forever });
  const { manager, clock } = await start([part('informers'), stubborn], { stopMs: 20_000 });
  manager.stop('test');
  await clock.advance(9_999);
  expect(lines).toEqual(['informers starts']);
  await clock.advance(1);
  expect(lines.at(-1)).toBe('informers ends');
  await clock.advance(10_000);
  await expect(manager.done).rejects.toThrow(
    'Cannot stop within 20 s: "controllers" has not ended',
  );
});

test('startManager() exits at once on a second signal', async () => {
  const { manager, clock, signals, exits } = await start([{ name: 'a', start: forever }]);
  signals.emit('SIGINT');
  expect(exits).toEqual([]);
  signals.emit('SIGTERM');
  expect(exits).toEqual([1]);
  await clock.advance(30_000);
  await expect(manager.done).rejects.toThrow('"a" has not ended');
});

test('startManager() logs why it stops', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const { manager, signals } = await start([], {
    log: createLogger({ level: 'info', destination }),
  });
  signals.emit('SIGTERM');
  await manager.done;
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'Stopping', reason: 'SIGTERM' },
    { msg: 'Stopped', inTime: true },
  ]);
});

test('startManager() is not ready any more as soon as it stops, but alive', async () => {
  const clock = new VirtualClock();
  const slow = { name: 'a', start: () => new Promise<void>((r) => clock.after(5_000, r)) };
  const { manager } = await start([slow], {
    clock,
    health: { port: 0, host: '127.0.0.1' },
    readyChecks: { informers: () => undefined },
  });
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${manager.healthPort}${path}`);
    return { status: response.status, text: await response.text() };
  };
  expect(await ask('/readyz')).toEqual({ status: 200, text: 'ok' });
  manager.stop('test');
  expect(await ask('/readyz')).toEqual({
    status: 500,
    text: '[+]ping ok\n[-]running failed: the process is stopping\n[+]informers ok\nreadyz check failed\n',
  });
  expect(await ask('/healthz')).toEqual({ status: 200, text: 'ok' });
  await clock.advance(5_000);
  await manager.done;
  await expect(ask('/healthz')).rejects.toThrow();
});

test('startManager() rejects when it cannot listen, and starts nothing', async () => {
  const { lines, part } = diary();
  const { manager } = await start([], { health: { port: 0, host: '127.0.0.1' } });
  const health = { port: manager.healthPort ?? 0, host: '127.0.0.1' };
  await expect(start([part('a')], { health })).rejects.toThrow('Cannot listen on');
  expect(lines).toEqual([]);
});

test('startManager() runs the parts of a leader in one process at a time', async () => {
  const cluster = await startCluster();
  const { clock } = cluster;
  const { lines, part } = diary();
  const a = await start([onlyLeader(part('a'))], {
    clock,
    leaderElection: electionOf(cluster, 'first'),
  });
  await clock.advance(1_000);
  await start([part('cache'), onlyLeader(part('b'))], {
    clock,
    leaderElection: electionOf(cluster, 'second'),
  });
  await clock.advance(60_000);
  expect(lines).toEqual(['a starts', 'cache starts']);
  a.manager.stop('test');
  await clock.advance(5_000);
  await a.manager.done;
  expect(lines.slice(2)).toEqual(['a ends', 'b starts']);
  expect(await holderIn(cluster)).toBe('second');
});

test('startManager() stops everything and fails when it no longer leads', async () => {
  const cluster = await startCluster();
  const { clock, faults } = cluster;
  const { lines, part } = diary();
  const { manager } = await start([part('cache'), onlyLeader(part('a'))], {
    clock,
    leaderElection: electionOf(cluster, 'first'),
  });
  await clock.advance(5_000);
  faults.plan = linkFaults.lostRequest;
  await clock.advance(30_000);
  await expect(manager.done).rejects.toThrow(LeadershipLostError);
  expect(lines).toEqual(['cache starts', 'a starts', 'a ends', 'cache ends']);
});

test('startManager() releases the lease when a part of the leader fails', async () => {
  const cluster = await startCluster();
  const { clock } = cluster;
  const failing = onlyLeader({ name: 'a', start: () => Promise.reject(new Error('no')) });
  const { manager } = await start([failing], {
    clock,
    leaderElection: electionOf(cluster, 'first'),
  });
  await clock.advance(5_000);
  await expect(manager.done).rejects.toThrow('Cannot keep "a" running: no');
  expect(await holderIn(cluster)).toBe('');
});

test('runDisposable() disposes of what it started, in a hurry when leadership is lost', async () => {
  const seen: string[] = [];
  const thing = {
    stop: async ({ drainMs }: { drainMs: number }) => void seen.push(`stop ${drainMs}`),
    [Symbol.asyncDispose]: async () => void seen.push('dispose'),
  };
  const runnable = runDisposable('thing', async () => thing);
  for (const reason of [new Error('stopping'), new LeadershipLostError('lost')]) {
    const ending = new AbortController();
    const ran = runnable.start(ending.signal, () => true);
    ending.abort(reason);
    await ran;
  }
  expect(seen).toEqual(['dispose', 'stop 0']);
});

test('startManager() is ready when each of its parts is, and waits for none that runs elsewhere', async () => {
  const cluster = await startCluster();
  const { clock } = cluster;
  let reason: string | undefined = 'waiting for the caches of Pod';
  const startReplica = async (identity: string) => {
    const thing = { whyNotReady: () => reason, [Symbol.asyncDispose]: async () => undefined };
    const { manager } = await start([onlyLeader(runDisposable('controllers', () => thing))], {
      clock,
      health: { port: 0, host: '127.0.0.1' },
      leaderElection: electionOf(cluster, identity),
    });
    await clock.advance(1_000);
    return manager;
  };
  const readyz = async ({ healthPort }: { healthPort: number | undefined }) =>
    (await fetch(`http://127.0.0.1:${healthPort}/readyz?verbose`)).text();
  const leader = await startReplica('first');
  const follower = await startReplica('second');
  expect(await readyz(leader)).toContain('[-]controllers failed: waiting for the caches of Pod\n');
  expect(await readyz(follower)).toContain('[+]controllers ok\n');
  reason = undefined;
  expect(await readyz(leader)).toContain('[+]controllers ok\n');
});
