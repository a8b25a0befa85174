import { randomInt } from 'node:crypto';
import { basename } from 'node:path';
import { forgeNetwork, type Machine } from '../machine/machine.ts';
import { runCommand } from '../machine/run-command.ts';
import { type AddressPlan, maxClusters, planAddresses } from './address-plan.ts';

/** A switch in a namespace of its own, where the API server listens and every node has a cable to. */
export interface ClusterNetwork {
  readonly addresses: AddressPlan;
  readonly machine: Machine;
  /** The networks it is linked with now. */
  readonly neighbours: Set<ClusterNetwork>;
}

/** With a cable to this machine, so that a test reaches the API server and the nodes. It ends with the network. */
export async function startClusterNetwork(
  folder: string,
  signal: AbortSignal,
): Promise<ClusterNetwork> {
  const machine = forgeNetwork({ name: 'network', folder });
  await machine.start(signal);
  const addresses = planAddresses(await claimIndex(machine));
  await machine.ip(
    'link add switch type bridge',
    // Without one of its own it has that of a cable, another one when cables come and go, and nobody finds it for seconds.
    'link set switch address 02:00:00:00:00:01',
    'link set switch up',
    `address add ${addresses.apiServer}/24 dev switch`,
    `route add local ${addresses.apiServerAliases} dev lo`,
    'link set host master switch',
    'link set host up',
  );
  await connectHost(addresses, basename(folder));
  return { addresses, machine, neighbours: new Set() };
}

/** The alias tells the reaper of the cluster which cable is its own. */
async function connectHost(addresses: AddressPlan, alias: string): Promise<void> {
  const cable = hostCable(addresses);
  const lines = [
    `link set ${cable} alias ${alias}`,
    `address add ${addresses.host}/24 dev ${cable}`,
    `link set ${cable} up`,
  ];
  await runCommand(['ip', '-batch', '-'], { input: `${lines.join('\n')}\n` });
}

/** The name, on this machine, of its cable to the network of a cluster. */
export function hostCable({ index }: Pick<AddressPlan, 'index'>): string {
  return `liqo-ts${index}`;
}

/** The cable is the claim: the kernel lets only one have a name, and takes it away with the namespace of its other end. */
async function claimIndex(machine: Machine): Promise<number> {
  const first = randomInt(maxClusters);
  for (let tried = 0; tried < maxClusters; tried++) {
    const index = (first + tried) % maxClusters;
    if (await layCable(machine, index)) return index;
  }
  throw new Error(`Cannot start a cluster with nodes: ${maxClusters} of them run already`);
}

async function layCable(machine: Machine, index: number): Promise<boolean> {
  const cable = `ip link add ${hostCable({ index })} type veth peer name host netns ${machine.pid}`;
  try {
    await runCommand(cable.split(' '));
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes('File exists')) return false;
    throw error;
  }
}
