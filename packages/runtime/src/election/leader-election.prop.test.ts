import { isNotFound, Lease } from '@liqo/kube';
import { always, delayed, type FaultPlan, linkFaults, noFaults } from '@liqo/testkit/faults';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Candidate,
  createElectionWorld,
  type ElectionWorld,
} from '../testing/election-world.ts';
import { leaseKey } from '../testing/lease-key.ts';

const hour = 3_600_000;

const fault: fc.Arbitrary<FaultPlan> = fc.oneof(
  fc.constantFrom(...Object.values(linkFaults)),
  fc.integer({ min: 10, max: 12_000 }).map((ms) => always(delayed(ms))),
);

type Mischief =
  | { readonly do: 'fault'; readonly fault: FaultPlan }
  | { readonly do: 'freeze' | 'thaw' | 'restart' }
  | { readonly do: 'setClock'; readonly skewMs: number };

const trouble: fc.Arbitrary<Mischief> = fc.oneof(
  fc.record({ do: fc.constant('fault' as const), fault }),
  fc.record({ do: fc.constantFrom('freeze' as const, 'thaw' as const) }),
);

const mischief: fc.Arbitrary<Mischief> = fc.oneof(
  { arbitrary: trouble, weight: 9 },
  {
    arbitrary: fc.record({
      do: fc.constant('setClock' as const),
      skewMs: fc.integer({ min: -hour, max: hour }),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ do: fc.constant('restart' as const) }), weight: 1 },
);

const schedule = (candidates: number, what: fc.Arbitrary<Mischief>) =>
  fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 9_000 }),
      candidate: fc.nat({ max: candidates - 1 }),
      what,
    }),
    { minLength: 1, maxLength: 12 },
  );

type Schedule = readonly { afterMs: number; candidate: number; what: Mischief }[];

async function play(world: ElectionWorld, who: Candidate[], steps: Schedule): Promise<void> {
  for (const { afterMs, candidate, what } of steps) {
    await world.run(afterMs, 1_000);
    const target = who[candidate];
    if (!target) continue;
    switch (what.do) {
      case 'fault':
        target.faults.plan = what.fault;
        break;
      case 'freeze':
        target.clock.freeze();
        break;
      case 'thaw':
        await target.clock.thaw();
        break;
      case 'setClock':
        target.clock.skewMs = what.skewMs;
        break;
      case 'restart':
        who[candidate] = restart(world, target);
        break;
    }
    world.noteTwoLeaders();
  }
}

/** The old process dies on the spot: it never runs again, and what it sent still arrives. */
function restart(world: ElectionWorld, old: Candidate): Candidate {
  old.clock.freeze();
  return world.start(`${old.identity}'`);
}

async function deleteLease(world: ElectionWorld): Promise<void> {
  await world.admin.delete(Lease, leaseKey).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
}

/** With everything healed, somebody leads soon. */
async function expectOneLeader(world: ElectionWorld, who: readonly Candidate[]): Promise<void> {
  for (const { clock, faults } of who) {
    faults.plan = noFaults;
    await clock.thaw();
  }
  await world.run(60_000, 5_000);
  expect(world.violations).toEqual([]);
  expect(world.leaders()).toHaveLength(1);
}

const names = ['a', 'b', 'c'];

describe('startLeaderElection()', () => {
  test.each([2, 3])('never has two of %d candidates lead, whatever fails', (count) =>
    fc.assert(
      fc.asyncProperty(fc.nat(), schedule(count, mischief), async (seed, steps) => {
        const world = createElectionWorld(seed);
        const who = names.slice(0, count).map((name) => world.start(name));
        await play(world, who, steps);
        await expectOneLeader(world, who);
        await world.end();
      }),
      { numRuns: 50 },
    ),
  );

  test('never has two candidates lead though somebody deletes the lease', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(),
        schedule(3, trouble),
        schedule(3, trouble),
        async (seed, before, after) => {
          const world = createElectionWorld(seed);
          const who = names.map((name) => world.start(name));
          await world.run(8_000, 1_000);
          await play(world, who, before);
          await deleteLease(world);
          await play(world, who, after);
          await expectOneLeader(world, who);
          await world.end();
        },
      ),
      { numRuns: 50 },
    ));
});
