import type { Namespace, Node, Pod, Stored } from '@liqo/kube';
import { ClusterView } from '../cluster-view.ts';
import { NodeInfo } from '../node-info.ts';
import { forgePodInfo, type PodInfo } from '../pod-info.ts';

type Labels = Record<string, string>;

const stored = { uid: 'uid', resourceVersion: '1', creationTimestamp: '2030-01-01T00:00:00Z' };

/** A pod as the API server would give it. */
export function pod(
  name: string,
  spec: Partial<NonNullable<Pod['spec']>> = {},
  metadata: { readonly labels?: Labels; readonly namespace?: string } = {},
): PodInfo {
  const object: Stored<Pod> = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', ...stored, ...metadata, name },
    spec: { containers: [], ...spec },
  };
  return forgePodInfo(object);
}

/** Containers that request this much, one each. */
export function requesting(...requests: readonly Record<string, string>[]) {
  return requests.map((one, index) => ({ name: `c${index}`, resources: { requests: one } }));
}

/** A large node with its host name, and the pods on it. */
export function node(
  name: string,
  options: {
    readonly labels?: Labels;
    readonly spec?: Node['spec'];
    readonly allocatable?: Record<string, string>;
    readonly pods?: readonly PodInfo[];
  } = {},
): NodeInfo {
  const { labels, spec, allocatable, pods } = options;
  const object: Stored<Node> = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { ...stored, name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    ...(spec && { spec }),
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10', ...allocatable } },
  };
  return new NodeInfo(object, pods);
}

/** A cluster of these nodes with their pods. */
export function cluster(
  nodes: readonly NodeInfo[],
  namespaces: Readonly<
    Record<string, NonNullable<NonNullable<Namespace['metadata']>['labels']>>
  > = {},
): ClusterView {
  const view = new ClusterView();
  for (const [name, labels] of Object.entries(namespaces)) view.setNamespace(name, labels);
  for (const one of nodes) {
    view.setNode(one.node);
    for (const resident of one.pods()) view.place(resident, one.name);
  }
  return view;
}
