import { IpRangeSet, type Kind } from '@liqo/kube';
import type { AddressPolicy } from '@liqo/model';

/** Which addresses of a provider's pods are taken over, as far as it is known at the moment. */
export interface AddressSource extends AsyncDisposable {
  /** To be synced before the policy is read. */
  readonly caches: readonly AddressCache[];
  readonly policy: AddressPolicy;
  /** Told when other addresses are taken over than before. */
  subscribe(onChange: () => void): Disposable;
}

interface AddressCache {
  readonly kind: Kind;
  readonly hasSynced: boolean;
  synced(signal?: AbortSignal): Promise<void>;
}

/** For an installation that reflects no addresses: nothing has to be known for that. */
export const noAddresses: AddressSource = {
  caches: [],
  policy: { isReflected: false, own: new IpRangeSet([]), exempt: new IpRangeSet([]) },
  subscribe: () => ({ [Symbol.dispose]: nothing }),
  [Symbol.asyncDispose]: async () => nothing(),
};

function nothing(): void {
  // There is nothing to end.
}
