import type { Node } from '@liqo/kube';
import type { Refusal } from './judge-cluster.ts';

/** What an image of Liqo can be made for. */
const architectures = ['amd64', 'arm64'];

const platformOf = ({ status }: Node) => {
  const { operatingSystem = '', architecture = '' } = status?.nodeInfo ?? {};
  return { operatingSystem, architecture };
};

const isUsable = (node: Node) => {
  const { operatingSystem, architecture } = platformOf(node);
  return operatingSystem === 'linux' && architectures.includes(architecture);
};

/** Why no node can run Liqo. Nodes that do not say what they are count as usable. */
export function judgeNodes(nodes: readonly Node[]): Refusal | undefined {
  const telling = nodes.filter((node) => platformOf(node).architecture !== '');
  if (telling.length === 0 || telling.some(isUsable) || telling.length < nodes.length)
    return undefined;
  const platforms = telling.map((node) => Object.values(platformOf(node)).join('/'));
  return {
    why: `no node can run it: the nodes are ${[...new Set(platforms)].join(', ')}`,
    hint: `Add a node with linux on ${architectures.join(' or ')}`,
  };
}

/** What to know about nodes of several architectures. */
export function warnOfNodes(
  nodes: readonly Node[],
  { nodeSelector }: { readonly nodeSelector: Readonly<Record<string, string>> },
): string | undefined {
  if (nodeSelector['kubernetes.io/arch'] !== undefined) return undefined;
  const all = nodes.map((node) => platformOf(node).architecture).filter((one) => one !== '');
  const [first, ...others] = [...new Set(all)].sort();
  if (first === undefined || others.length === 0) return undefined;
  return (
    `The nodes are of several architectures (${[first, ...others].join(', ')}): the image must be for all of them, ` +
    `or choose with --set 'common.nodeSelector.kubernetes\\.io/arch=${first}'`
  );
}
