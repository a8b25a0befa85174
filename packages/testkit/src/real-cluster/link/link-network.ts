import { forgeNetwork, type Machine } from '../machine/machine.ts';
import { runCommand } from '../machine/run-command.ts';
import { type AddressPlan, apiServerAlias } from '../network/address-plan.ts';
import { type ClusterNetwork, hostCable } from '../network/cluster-network.ts';
import { type LinkEnd, port } from './link-faults.ts';

/** The address of the link itself, the next hop on both of its ends. */
const middle = '169.254.1.1';

export interface LinkPlan {
  readonly folder: string;
  readonly a: ClusterNetwork;
  readonly b: ClusterNetwork;
}

/**
 * A router between two clusters, in a namespace of its own: its interfaces are called after the ends. Each cluster finds
 * the machines and pods of the other behind it. Nothing is translated.
 */
export async function startLinkNetwork({ folder, a, b }: LinkPlan): Promise<Machine> {
  const name = `link-${a.addresses.index}-${b.addresses.index}`;
  const router = forgeNetwork({ name, folder });
  await router.start();
  await router.ip(`address add ${middle}/32 dev lo`);
  await connect(router, 'a', a, b.addresses);
  await connect(router, 'b', b, a.addresses);
  return router;
}

/** The cables go first: the namespace of their other ends may stay for as long as a connection in it waits. */
export async function removeLinkNetwork(
  router: Machine,
  { a, b }: Pick<LinkPlan, 'a' | 'b'>,
): Promise<void> {
  const ends = [`link delete ${port('a')}`, `link delete ${port('b')}`];
  if (router.isUp) await router.ip(...ends);
  await Promise.all([unrouteHost(a.addresses, b.addresses), unrouteHost(b.addresses, a.addresses)]);
  await router.stop();
}

async function connect(
  router: Machine,
  end: LinkEnd,
  near: ClusterNetwork,
  far: AddressPlan,
): Promise<void> {
  const cable = `link${far.index}`;
  const inside = port(end);
  await near.machine.ip(
    `link add ${cable} type veth peer name ${inside} netns ${router.pid}`,
    `link set ${cable} up`,
  );
  const { apiServer, machines, pods } = near.addresses;
  await router.ip(
    `link set ${inside} up`,
    `route add ${machines} via ${apiServer} dev ${inside} onlink`,
    `route add ${pods} via ${apiServer} dev ${inside} onlink`,
  );
  await near.machine.ip(
    `route replace ${far.machines} via ${middle} dev ${cable} onlink`,
    `route replace ${far.pods} via ${middle} dev ${cable} onlink`,
  );
  await routeHost(near.addresses, far);
}

/** What has gone with the cable of the cluster need not be removed any more. */
async function unrouteHost(near: AddressPlan, far: AddressPlan): Promise<void> {
  const route = `${apiServerAlias(far, near)}/32`;
  await runCommand(['ip', 'route', 'delete', route, 'dev', hostCable(near)]).catch(() => undefined);
}

/** What a test sends to the address under which `near` knows the API server of `far` goes through `near`. */
async function routeHost(near: AddressPlan, far: AddressPlan): Promise<void> {
  const alias = apiServerAlias(far, near);
  const via = ['via', near.apiServer, 'dev', hostCable(near)];
  await runCommand(['ip', 'route', 'replace', `${alias}/32`, ...via]);
}
