import type { Machine } from '../machine/machine.ts';
import { nodeAddress, nodePods } from '../network/address-plan.ts';
import type { NodePlan } from './node-plan.ts';

/** Addresses of services, for whoever is not on a node: every node knows the way. */
const services = '10.96.0.0/12';

/** Connects a computer to the switch of its cluster, and tells the switch which pods are behind it. */
export async function layNodeCable(
  { network, nth }: Pick<NodePlan, 'network' | 'nth'>,
  computer: Machine,
): Promise<void> {
  const { addresses, machine } = network;
  const address = nodeAddress(addresses, nth);
  const port = `node${nth}`;
  // The cable of a computer that was killed hangs on for a moment.
  await machine.ip(`link delete ${port}`).catch(() => undefined);
  await machine.ip(
    `link add ${port} type veth peer name eth0 netns ${computer.pid}`,
    `link set ${port} master switch`,
    `link set ${port} up`,
    `route replace ${nodePods(addresses, nth)} via ${address}`,
    ...(nth === 0 ? [`route replace ${services} via ${address}`] : []),
  );
  await computer.ip(
    // The same after every boot, as of any computer: others remember it.
    `link set eth0 address 02:00:00:00:01:${nth.toString(16).padStart(2, '0')}`,
    `address add ${address}/24 dev eth0`,
    'link set eth0 up',
    `route add default via ${addresses.apiServer}`,
  );
}
