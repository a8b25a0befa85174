import { VirtualNode, virtualKubeletName } from '@liqo/api';
import { Deployment, findCondition, isZeroQuantity, Node, parseQuantity } from '@liqo/kube';
import type { Survey } from '../survey.ts';

interface NodeSurvey {
  readonly home: Survey;
  /** Names that somebody else has taken. */
  readonly taken: ReadonlySet<string>;
}

/** Every virtual node has its Node, which is ready exactly when it may be; and nothing is left of others. */
export function findWrongNodes({ home, taken }: NodeSurvey): string[] {
  const wanted = new Map(home.all(VirtualNode).map((one) => [one.metadata.name, one]));
  const wrongs: string[] = [];
  for (const [name, virtualNode] of wanted) {
    if (taken.has(name)) continue;
    const node = home.all(Node).find(({ metadata }) => metadata.name === name);
    const cpu = virtualNode.spec.resourceQuota?.hard?.cpu ?? '0';
    const mayBe =
      virtualNode.spec.createNode !== false && !isZeroQuantity(parseQuantity(String(cpu)));
    const ready = findCondition(node?.status?.conditions, 'Ready');
    if (virtualNode.metadata.deletionTimestamp !== undefined) {
      wrongs.push(`the virtual node "${name}" was deleted and never goes`);
    } else if ((ready?.status === 'True') !== mayBe) {
      const is = ready ? `${ready.status}: ${ready.message}` : 'absent';
      wrongs.push(`the node "${name}" ${mayBe ? 'may' : 'may not'} be ready, and is ${is}`);
    }
  }
  return [...wrongs, ...findRemains(home, wanted, taken)];
}

function findRemains(
  home: Survey,
  wanted: ReadonlyMap<string, VirtualNode>,
  taken: ReadonlySet<string>,
): string[] {
  const nodes = home.all(Node).filter(({ metadata }) => /^v\d$/.test(metadata.name));
  const remains = nodes
    .map(({ metadata }) => metadata.name)
    .filter((name) => wanted.get(name)?.spec.createNode === false || !wanted.has(name))
    .filter((name) => !taken.has(name));
  const kubelets = home.all(Deployment).filter(({ metadata }) => {
    const name = ['v1', 'v2'].find((one) => virtualKubeletName(one) === metadata.name);
    return name !== undefined && !wanted.has(name) && !taken.has(name);
  });
  return [
    ...remains.map((name) => `the Node "${name}" is left without a virtual node that wants it`),
    ...kubelets.map(({ metadata }) => `the Deployment "${metadata.name}" is left`),
  ];
}
