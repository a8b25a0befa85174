import { Client, type Clock, Namespace, type Random } from '@liqo/kube';
import { AdmissionChain } from '../../admission/admission.ts';
import type { User } from '../../auth/user.ts';
import { inProcessAccess } from '../../in-process-access.ts';
import { builtInResources } from '../../resources/built-in.ts';
import { ApiServer } from '../../rest/api-server.ts';
import { Registry } from '../../rest/registry.ts';
import type { ServerParts } from '../../rest/server-parts.ts';
import { Store } from '../../store/store.ts';
import { podBinding } from '../../subresources/pod-binding.ts';

const admin: User = { name: 'admin', groups: ['system:masters'], extra: {} };

/** An API server in the process that lets everybody do everything, and nothing around it: no controllers, no nodes. */
export async function startBareServer(clock: Clock, random: Random): Promise<Client> {
  const registry = new Registry();
  const parts: ServerParts = {
    store: new Store(),
    registry,
    admission: new AdmissionChain([]),
    clock,
    random,
  };
  const subresourceHandlers = { 'pods/binding': podBinding(parts) };
  for (const resource of builtInResources({ clock, random, subresourceHandlers })) {
    registry.add(resource);
  }
  const gatekeeper = { authenticate: async () => admin, authorize: async () => {} };
  const server = new ApiServer(parts, gatekeeper, []);
  const transport = inProcessAccess(server, admin);
  const client = new Client({ transport, clock, random, fieldManager: 'test' });
  for (const name of ['default', 'kube-node-lease']) {
    await client.create(Namespace, { metadata: { name } });
  }
  return client;
}
