import type { VirtualClock } from './virtual-clock.ts';

const roundMs = 250;
const maxRounds = 5_000;

/**
 * Lets time pass until the assertion holds, a quarter of a second per round, twenty minutes at most.
 *
 * For worlds of real sockets on a virtual clock. When both ends are in this process they share its event loop, so that
 * whatever is under way gets its turns between two rounds, however busy the machine is; and minutes of silence, pings and
 * back-offs take none.
 */
export async function timePassesUntil(clock: VirtualClock, assertion: () => void): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      return assertion();
    } catch (failure) {
      if (round === maxRounds) throw failure;
      await clock.advance(roundMs);
    }
  }
}
