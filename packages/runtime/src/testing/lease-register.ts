import type { InProcessAnswer, InProcessServer, Lease, Stored } from '@liqo/kube';
import { leaseKey } from './lease-key.ts';

/**
 * What an API server is to the candidates of an election, and nothing else: one Lease that can be read, created,
 * replaced by whoever knows its version, and deleted. Properties make so many calls that a whole cluster would be ten
 * times slower; that a cluster behaves like this is shown by the tests that run on one.
 */
export function leaseRegister(): InProcessServer {
  let stored: Stored<Lease> | undefined;
  let version = 0;
  const store = (sent: Stored<Lease>): Stored<Lease> => {
    version += 1;
    const { uid = `uid-${version}` } = stored?.metadata ?? {};
    const metadata = { ...sent.metadata, uid, resourceVersion: String(version) };
    stored = { ...sent, metadata };
    return stored;
  };
  return async ({ method, body }) => {
    const sent: Stored<Lease> | undefined = body && JSON.parse(String(body));
    if (method === 'POST') {
      if (stored) return refuse(409, 'AlreadyExists');
      return sent ? answer(201, store(sent)) : refuse(400, 'BadRequest');
    }
    if (!stored) return refuse(404, 'NotFound');
    switch (method) {
      case 'GET':
        return answer(200, stored);
      case 'PUT':
        if (sent?.metadata.resourceVersion !== stored.metadata.resourceVersion) {
          return refuse(409, 'Conflict');
        }
        return answer(200, store(sent));
      case 'DELETE':
        stored = undefined;
        return answer(200, { kind: 'Status', apiVersion: 'v1', status: 'Success' });
      default:
        return refuse(405, 'MethodNotAllowed');
    }
  };
}

function refuse(code: number, reason: string): InProcessAnswer {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason };
  return answer(code, { ...status, details: { name: leaseKey.name } });
}

function answer(status: number, body: object): InProcessAnswer {
  return { status, body: JSON.stringify(body) };
}
