import { fixedNames, VkOptionsTemplate } from '@liqo/api';
import { type Client, type KubeObject, Node } from '@liqo/kube';
import { isWrite, type Write } from '../../review/is-write.ts';
import { newProblems, refuse } from '../../review/problems.ts';
import { textAt } from '../../review/value-at.ts';
import { unchanged } from '../../review/verdict.ts';
import type { Rule } from '../../rule.ts';
import type { Facts } from '../facts.ts';
import { judgeTwice } from '../judge-twice.ts';
import { type VirtualNodeSurroundings, virtualNodeProblems } from './virtual-node-problems.ts';

export interface VirtualNodeRuleParts {
  readonly client: Client;
  /** Where this is installed. */
  readonly liqoNamespace: string;
  readonly facts: Pick<Facts, 'namespaces' | 'virtualNodes'>;
}

/** A VirtualNode is in the tenant namespace of its provider, and a Node can be made of it. */
export function virtualNodeRule({ client, liqoNamespace, facts }: VirtualNodeRuleParts): Rule {
  const hasTemplate = async (virtualNode: KubeObject, signal: AbortSignal) => {
    const at = (field: string) => textAt(virtualNode, 'spec', 'vkOptionsTemplateRef', field);
    const namespace = at('namespace') || liqoNamespace;
    const name = at('name') || fixedNames.defaultVkOptionsTemplate;
    return (await client.get(VkOptionsTemplate, { namespace, name }, signal)) !== undefined;
  };
  const surroundings = async (
    { object }: Write,
    source: 'cached' | 'live',
    signal: AbortSignal,
  ): Promise<VirtualNodeSurroundings> => {
    const name = textAt(object, 'metadata', 'name') ?? '';
    const [namespaces, virtualNodes, node, isThere] = await Promise.all([
      facts.namespaces[source](signal),
      facts.virtualNodes[source](signal),
      name === '' ? undefined : client.get(Node, { name }, signal),
      hasTemplate(object, signal),
    ]);
    return { liqoNamespace, namespaces, virtualNodes, node, hasTemplate: isThere };
  };
  return {
    path: '/validate/virtualnodes',
    review(request, signal) {
      if (!isWrite(request)) return unchanged;
      return judgeTwice(async (source) => {
        const around = await surroundings(request, source, signal);
        return refuse(newProblems((object) => virtualNodeProblems(object, around), request));
      });
    },
  };
}
