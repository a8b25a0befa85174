import { hashText } from '@liqo/kube';
import { seededRandom } from '../seeded-random.ts';
import { identityOf } from './api-call.ts';
import type { Fault } from './fault.ts';
import type { FaultPlan } from './fault-plan.ts';

export interface SeededPlanOptions {
  readonly seed: number;
  /** The share of calls that get a fault: 0.1 is every tenth. */
  readonly rate: number;
  /** One of these, made anew for every call. */
  readonly faults: readonly (() => Fault)[];
}

/**
 * Faults at random, but the same ones for the same calls with the same seed. Nothing but the call itself decides, so
 * that calls of different callers may overtake each other without changing what happens to any of them.
 */
export function seededPlan({ seed, rate, faults }: SeededPlanOptions): FaultPlan {
  return (call) => {
    const random = seededRandom(numberFrom(`${seed} ${identityOf(call)} ${call.attempt}`));
    if (random() >= rate) return undefined;
    return faults[Math.floor(random() * faults.length)]?.();
  };
}

/** The last characters of a hash, as many as fit into 32 bits. */
function numberFrom(text: string): number {
  return Number.parseInt(hashText(text).slice(-6), 36);
}
