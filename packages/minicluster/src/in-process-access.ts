import { type InProcessAnswer, InProcessTransport } from '@liqo/kube';
import type { User } from './auth/user.ts';
import type { ApiAnswer } from './rest/api-request.ts';
import type { ApiServer } from './rest/api-server.ts';

/** A transport that speaks to the server as `user`, without a network or a certificate. */
export function inProcessAccess(server: ApiServer, user: User): InProcessTransport {
  return new InProcessTransport(async (request, signal) =>
    inProcessAnswer(await server.handle({ ...request, signal, peer: user })),
  );
}

function inProcessAnswer({ status, headers, body, stream, upgraded }: ApiAnswer): InProcessAnswer {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const content = stream ?? text;
  return {
    status,
    ...(headers && { headers }),
    ...(content !== undefined && { body: content }),
    ...(upgraded && { stream: upgraded }),
  };
}
