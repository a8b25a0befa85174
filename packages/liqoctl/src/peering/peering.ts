import type { PeeringSide, StepContext } from './peering-side.ts';

/** Two clusters, and what there is to work with. */
export interface Peering extends StepContext {
  readonly consumer: PeeringSide;
  readonly provider: PeeringSide;
  /** Commands for a person: one for both clusters of the peering, one for the provider alone. */
  readonly suggest: {
    readonly both: (command: string) => string;
    readonly provider: (command: string) => string;
    readonly consumer: (command: string) => string;
  };
}
