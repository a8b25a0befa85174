import { fixedNames } from '@liqo/api';
import { type AuthenticateOptions, authenticate } from './authenticate.ts';
import type { Peering } from './peering.ts';
import { ensureSlice } from './slice.ts';

export interface PeerOptions extends AuthenticateOptions {
  /** The slice to ask the provider for; none without it. It is called as the provider is. */
  readonly slice?: {
    readonly class?: string;
    /** What is not named, the provider decides. */
    readonly resources?: Readonly<Record<string, string>>;
    readonly createVirtualNode?: boolean;
  };
}

/** Makes the consumer a peer of the provider. Safe to repeat after any end of an earlier call. */
export async function peer(peering: Peering, { slice, ...options }: PeerOptions): Promise<void> {
  const { consumer, provider } = peering;
  const { namespace } = await authenticate(peering, options);
  if (!slice) return;
  await ensureSlice(peering, consumer, {
    name: provider.clusterID,
    namespace,
    providerID: provider.clusterID,
    class: slice.class ?? fixedNames.defaultResourceSliceClass,
    resources: slice.resources ?? {},
    createVirtualNode: slice.createVirtualNode ?? true,
  });
}
