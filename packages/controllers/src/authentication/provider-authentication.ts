import { randomBytes } from 'node:crypto';
import { inOrder, type Stoppable, together } from '@liqo/runtime';
import type { ControllerContext } from '../controller-context.ts';
import type { ApiServerOptions } from './advertised-api-server.ts';
import { startNonceController } from './nonce-controller.ts';
import { startRenewAnswers } from './renew-answers.ts';
import { startTenantController } from './tenant-controller.ts';
import { watchTenantSecrets } from './tenant-secrets.ts';

export interface ProviderAuthenticationOptions {
  /** What consumers are told of the API server of this cluster. */
  readonly apiServer: ApiServerOptions;
}

/** As a provider: the nonces that consumers sign, their identities and rights, and the renewal of these. */
export function startProviderAuthentication(
  context: ControllerContext,
  { apiServer }: ProviderAuthenticationOptions,
): Stoppable {
  const secrets = watchTenantSecrets(context);
  const users = together([
    startNonceController(context, randomBytes, secrets),
    startTenantController(context, { apiServer, randomBytes }, secrets),
    startRenewAnswers(context),
  ]);
  return inOrder([users, secrets]);
}
