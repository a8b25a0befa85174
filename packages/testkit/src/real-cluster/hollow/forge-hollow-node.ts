const key = 'kwok.x-k8s.io/node';

/** What hollow nodes have and others do not, as a selector. */
export const hollowLabel = `${key}=fake`;

/** The object that makes kwok play a node. */
export function forgeHollowNode(name: string, tainted: boolean): object {
  const taint = { key, value: 'fake', effect: 'NoSchedule' };
  const labels = { [key]: 'fake', 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels },
    spec: tainted ? { taints: [taint] } : {},
  };
}
