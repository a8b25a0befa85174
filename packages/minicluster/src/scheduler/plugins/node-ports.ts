import { portsConflict } from '../host-port.ts';
import type { NodeInfo } from '../node-info.ts';
import type { FilterPlugin, Rejection } from '../plugin.ts';

const rejection: Rejection = {
  reasons: ["node(s) didn't have free ports for the requested pod ports"],
  resolvable: true,
};

export const nodePorts: FilterPlugin = {
  name: 'NodePorts',
  prepare: ({ hostPorts }) => {
    if (hostPorts.length === 0) return undefined;
    return (node) => {
      const taken = portsTaken(node);
      const isTaken = hostPorts.some((port) => taken.some((other) => portsConflict(port, other)));
      return isTaken ? rejection : undefined;
    };
  },
};

function portsTaken(node: NodeInfo) {
  return [...node.pods()].flatMap((pod) => pod.hostPorts);
}
