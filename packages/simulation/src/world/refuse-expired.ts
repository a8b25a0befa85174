import { type Clock, type InProcessServer, JsonContent } from '@liqo/kube';
import type { Credentials } from './kubeconfig.ts';

/** A server that answers 401 from the moment on at which the credentials expire. */
export function refuseExpired(
  serve: InProcessServer,
  { notAfterMs }: Credentials,
  clock: Clock,
): InProcessServer {
  if (notAfterMs === undefined) return serve;
  return async (request, signal) =>
    clock.now() < notAfterMs ? serve(request, signal) : unauthorized;
}

const unauthorized = {
  status: 401,
  body: new JsonContent({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Unauthorized',
    message: 'Unauthorized',
    code: 401,
  }),
};
