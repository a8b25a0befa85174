import type { NewPeerCondition, PeerCondition } from './foreign-cluster-facts.ts';

interface ReadyCount {
  readonly type: PeerCondition['type'];
  readonly ready: number;
  readonly total: number;
  /** Reasons are `<noun>Ready`, `<noun>SomeNotReady` and `<noun>NotReady`. */
  readonly noun: string;
  /** As messages name them: "virtual nodes". */
  readonly plural: string;
}

/** The condition for several things of one sort. None at all is nothing to wait for. */
export function countReady({ type, ready, total, noun, plural }: ReadyCount): NewPeerCondition {
  if (ready >= total) {
    return { type, status: 'Ready', reason: `${noun}Ready`, message: `All ${plural} are ready` };
  }
  const some = ready > 0;
  return {
    type,
    status: some ? 'SomeNotReady' : 'NotReady',
    reason: some ? `${noun}SomeNotReady` : `${noun}NotReady`,
    message: `${some ? 'Some' : 'All'} ${plural} are not ready`,
  };
}
