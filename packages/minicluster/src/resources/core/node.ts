import { Node, type Stored } from '@liqo/kube';
import type { NodeSpec, NodeStatus } from 'kubernetes-types/core/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { changeIn } from '../fill-in.ts';
import { roundAll } from '../pods/container-defaults.ts';
import { validateTaints } from '../pods/validate-tolerations.ts';
import { ageColumn, textColumn, wide } from '../printing/columns.ts';
import { cidr, isDualStackPair } from '../validation/addresses.ts';
import { duplicate, type FieldProblem, forbidden, invalid } from '../validation/field-problem.ts';
import { resourceQuantity } from '../validation/quantities.ts';

export const nodes = defineResource<Node>({
  kind: Node,
  shortNames: ['no'],
  selectableFields: {
    'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false),
  },
  subresources: {
    proxy: {
      kind: 'NodeProxyOptions',
      group: '',
      version: 'v1',
      verbs: ['create', 'delete', 'get', 'patch', 'update'],
    },
    status: partOf(Node),
  },
  columns: [
    nameColumn,
    textColumn('Status', statusText),
    textColumn('Roles', rolesText),
    ageColumn,
    textColumn('Version', ({ status }: Node) => status?.nodeInfo?.kubeletVersion ?? ''),
    ...wide(
      textColumn('Internal-IP', (node: Node) => addressOf(node, 'InternalIP')),
      textColumn('External-IP', (node: Node) => addressOf(node, 'ExternalIP')),
      textColumn('OS-Image', ({ status }: Node) => status?.nodeInfo?.osImage || '<unknown>'),
      textColumn('Kernel-Version', ({ status }: Node) => {
        return status?.nodeInfo?.kernelVersion || '<unknown>';
      }),
      textColumn('Container-Runtime', ({ status }: Node) => {
        return status?.nodeInfo?.containerRuntimeVersion || '<unknown>';
      }),
    ),
  ],
  // A node registers itself with all it knows.
  freshStatus: 'as-given',
  strategy: {
    generation: 'none',
    withDefaults,
    validate: validateNode,
    validateUpdate: validateNodeUpdate,
    validateStatusUpdate: validateNodeUpdate,
  },
});

function statusText({ spec, status }: Node): string {
  const ready = (status?.conditions ?? []).findLast(({ type }) => type === 'Ready');
  const word = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec?.unschedulable ? `${word},SchedulingDisabled` : word;
}

const rolePrefix = 'node-role.kubernetes.io/';
const roleLabel = 'kubernetes.io/role';

function rolesText({ metadata }: Node): string {
  const labels = Object.entries(metadata?.labels ?? {});
  const roles = labels.map(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length);
    return key === roleLabel ? value : '';
  });
  return [...new Set(roles)].filter(Boolean).sort().join(',') || '<none>';
}

function addressOf({ status }: Node, type: string): string {
  return (status?.addresses ?? []).find((one) => one.type === type)?.address ?? '<none>';
}

function withDefaults(node: Node): Node {
  return changeIn(changeIn(node, 'spec', withMatchingCidrs), 'status', defaultStatus);
}

/** What a node does not reserve can be allocated. */
function defaultStatus(status: NodeStatus): NodeStatus {
  const { capacity, allocatable } = status;
  const complete = capacity && !allocatable ? { ...status, allocatable: capacity } : status;
  return changeIn(changeIn(complete, 'capacity', roundAll), 'allocatable', roundAll);
}

/** The one range and the list of ranges agree; where they differ, the one is right. */
function withMatchingCidrs(spec: NodeSpec): NodeSpec {
  const { podCIDR, podCIDRs } = spec;
  const first = podCIDRs?.[0];
  if (podCIDR && podCIDR !== first) return { ...spec, podCIDRs: [podCIDR] };
  return first && !podCIDR ? { ...spec, podCIDR: first } : spec;
}

function validateNode({ spec, status }: Node): FieldProblem[] {
  const ranges = spec?.podCIDRs ?? [];
  const problems = [
    ...validateTaints('metadata.taints', spec?.taints ?? []),
    ...validateAmounts(status),
    ...ranges.flatMap((range, i) => cidr(`spec.podCIDRs[${i}]`, range)),
  ];
  if (ranges.length < 2 || isDualStackPair(ranges)) return problems;
  const rule = 'may specify no more than one CIDR for each IP family';
  return [...problems, invalid('spec.podCIDRs', ranges, rule)];
}

function validateAmounts(status: NodeStatus | undefined): FieldProblem[] {
  const lists = { capacity: status?.capacity, allocatable: status?.allocatable };
  return Object.entries(lists).flatMap(([list, amounts]) =>
    Object.entries(amounts ?? {}).flatMap(([resource, amount]) =>
      resourceQuantity(resource, `status.${list}.${resource}`, amount),
    ),
  );
}

function validateNodeUpdate(next: Node, previous: Stored<Node>): FieldProblem[] {
  return [
    ...validateAmounts(next.status),
    ...validateAddresses('status.addresses', next.status?.addresses ?? []),
    ...setOnce('spec.podCIDRs', 'podCIDR', next.spec?.podCIDRs, previous.spec?.podCIDRs),
    ...setOnce('spec.providerID', 'providerID', next.spec?.providerID, previous.spec?.providerID),
    ...validateTaints('metadata.taints', next.spec?.taints ?? []),
  ];
}

function validateAddresses(
  field: string,
  addresses: NonNullable<NodeStatus['addresses']>,
): FieldProblem[] {
  return addresses.flatMap(({ type, address }, i) => {
    const isRepeated = addresses
      .slice(0, i)
      .some((one) => one.type === type && one.address === address);
    return isRepeated ? [duplicate(`${field}[${i}]`, { Type: type, Address: address })] : [];
  });
}

function setOnce(field: string, name: string, next: unknown, previous: unknown): FieldProblem[] {
  if (!previous || String(next) === String(previous)) return [];
  return [forbidden(field, `node updates may not change ${name} except from "" to valid`)];
}
