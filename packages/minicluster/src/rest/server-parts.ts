import type { Clock, Random } from '@liqo/kube';
import type { AdmissionChain } from '../admission/admission.ts';
import type { Store } from '../store/store.ts';
import type { Registry } from './registry.ts';

/** What every handler of the server stands on. */
export interface ServerParts {
  readonly store: Store;
  readonly registry: Registry;
  readonly admission: AdmissionChain;
  readonly clock: Clock;
  readonly random: Random;
  /** How often a watch that asks for it hears that nothing has happened. */
  readonly bookmarkEveryMs?: number | undefined;
  /** Resources whose new objects do not say who manages which of their fields. */
  readonly unmanaged?: ReadonlySet<string> | undefined;
}
