import type { KeyObject } from 'node:crypto';
import { inOrder, type Stoppable, together } from '@liqo/runtime';
import type { ControllerContext } from '../controller-context.ts';
import { startOwnSliceController } from '../slices/own-slice-controller.ts';
import { startClusterKeysController } from './cluster-keys-controller.ts';
import { startIdentityController } from './identity-controller.ts';
import type { IdentityRules } from './judge-identity.ts';
import { startRenewalController } from './renewal-controller.ts';
import { startSignedNonceController } from './signed-nonce-controller.ts';
import { watchTenantSecrets } from './tenant-secrets.ts';

export interface ConsumerAuthenticationOptions extends Pick<IdentityRules, 'reservedAddresses'> {
  /** Makes the private key of this cluster if there is none. */
  readonly newKey: () => KeyObject;
}

/** As a consumer: the keys of this cluster, its signatures, its identities at providers, and its slices. */
export function startConsumerAuthentication(
  context: ControllerContext,
  options: ConsumerAuthenticationOptions,
): Stoppable {
  const keys = startClusterKeysController(context, options.newKey);
  const tenantSecrets = watchTenantSecrets(context);
  const users = together([
    startSignedNonceController(context, tenantSecrets, keys),
    startIdentityController(context, tenantSecrets, keys, options),
    startRenewalController(context, tenantSecrets, keys, options),
    startOwnSliceController(context, tenantSecrets, keys),
  ]);
  return inOrder([users, keys, tenantSecrets]);
}
