import { InProcessTransport } from '@liqo/kube';
import type { User } from './auth/user.ts';
import { type RequestHandler, serveAs } from './intercept-calls.ts';

/** A transport that speaks to the server as `user`, without a network or a certificate. */
export function inProcessAccess(server: RequestHandler, user: User): InProcessTransport {
  return new InProcessTransport(serveAs(server, user));
}
