import {
  type Client,
  type Clock,
  isAlreadyExists,
  type Json,
  Node,
  type Stored,
  strategicMergePatch,
} from '@liqo/kube';
import { forgeNode, forgeNodeStatus, type NodeFacts, standardLabels } from './node-object.ts';

/** Makes the node known and says that it is well. One that is known already keeps what others have written on it. */
export async function registerNode(
  client: Client,
  clock: Clock,
  facts: NodeFacts,
  signal: AbortSignal,
): Promise<Stored<Node>> {
  const node = await createOrAdopt(client, facts, signal);
  return reportNode(client, clock, facts, node, signal);
}

/** Says again that the node is well. */
export async function reportNode(
  client: Client,
  clock: Clock,
  facts: NodeFacts,
  node: Stored<Node>,
  signal: AbortSignal,
): Promise<Stored<Node>> {
  const status = forgeNodeStatus(facts, node.status ?? {}, clock.now());
  const patch = strategicMergePatch({ status } as unknown as Json);
  return client.patch(Node, { name: facts.name }, patch, { subresource: 'status', signal });
}

async function createOrAdopt(
  client: Client,
  facts: NodeFacts,
  signal: AbortSignal,
): Promise<Stored<Node>> {
  try {
    return await client.create(Node, forgeNode(facts), signal);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const labels = { ...standardLabels(facts.name), ...facts.labels };
    const patch = strategicMergePatch({ metadata: { labels } });
    return client.patch(Node, { name: facts.name }, patch, signal);
  }
}
