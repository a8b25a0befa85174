import type { VirtualNode } from '@liqo/api';
import {
  checkLabelValue,
  type KubeObject,
  keyString,
  type Namespace,
  type Node,
  type Stored,
} from '@liqo/kube';
import { isNodeOf, whyNotInTenantNamespace } from '@liqo/model';
import type { Problem } from '../../review/problems.ts';
import { textAt, valueAt } from '../../review/value-at.ts';
import { amountProblems } from '../amount-problems.ts';

/** What is there besides a VirtualNode. */
export interface VirtualNodeSurroundings {
  readonly liqoNamespace: string;
  readonly namespaces: readonly Stored<Namespace>[];
  readonly virtualNodes: readonly Stored<VirtualNode>[];
  /** The one that has the name of the VirtualNode. */
  readonly node: Stored<Node> | undefined;
  /** Whether the VkOptionsTemplate that it names exists. */
  readonly hasTemplate: boolean;
}

const hard = ['spec', 'resourceQuota', 'hard'];

/** What is wrong with a VirtualNode. The provider may be named later, as the controllers accept it. */
export function virtualNodeProblems(
  virtualNode: KubeObject,
  around: VirtualNodeSurroundings,
): readonly Problem[] {
  return [
    ...nameProblems(virtualNode, around),
    ...placeProblems(virtualNode, around),
    ...amountProblems(valueAt(virtualNode, ...hard), hard.join('.')),
    ...templateProblems(virtualNode, around),
  ];
}

/** Nodes have no namespace: of the VirtualNodes of a name, one has the Node. */
function nameProblems(
  virtualNode: KubeObject,
  { virtualNodes, node }: VirtualNodeSurroundings,
): readonly Problem[] {
  const { name = '', namespace } = virtualNode.metadata ?? {};
  const problem = (message: string) => [{ path: 'metadata.name', message }];
  const [fault] = checkLabelValue(name);
  if (fault) return problem(`"${name}" cannot be the name of a Node: ${fault}`);
  const namesake = virtualNodes.find(
    ({ metadata }) => metadata.name === name && metadata.namespace !== namespace,
  );
  if (namesake) {
    return problem(`the VirtualNode "${keyString(namesake.metadata)}" has the name already`);
  }
  const clusterID = textAt(virtualNode, 'spec', 'clusterID');
  const isTaken = node !== undefined && !isNodeOf(node, clusterID);
  return isTaken ? problem(`there is a Node "${name}" already`) : [];
}

function placeProblems(
  virtualNode: KubeObject,
  { namespaces }: VirtualNodeSurroundings,
): readonly Problem[] {
  const peer = textAt(virtualNode, 'spec', 'clusterID');
  if (!peer) return [];
  const namespace = virtualNode.metadata?.namespace ?? '';
  const why = whyNotInTenantNamespace({ namespace, peer }, namespaces);
  return why === undefined ? [] : [{ path: 'spec.clusterID', message: why }];
}

/** Options decide about the image and the rights of a virtual kubelet: authors of VirtualNodes cannot bring theirs. */
function templateProblems(
  virtualNode: KubeObject,
  { liqoNamespace, hasTemplate }: VirtualNodeSurroundings,
): readonly Problem[] {
  const path = 'spec.vkOptionsTemplateRef';
  const namespace = textAt(virtualNode, 'spec', 'vkOptionsTemplateRef', 'namespace');
  const own = virtualNode.metadata?.namespace;
  if (namespace && namespace !== liqoNamespace && namespace !== own) {
    const message = `name a VkOptionsTemplate of "${liqoNamespace}" or of "${own}"`;
    return [{ path, message }];
  }
  return hasTemplate ? [] : [{ path, message: 'there is no such VkOptionsTemplate' }];
}
