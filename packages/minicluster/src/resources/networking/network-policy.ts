import { NetworkPolicy } from '@liqo/kube';
import type {
  IPBlock,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from 'kubernetes-types/networking/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { changeEach, changeIn, fillIn } from '../fill-in.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { selectorText } from '../printing/label-text.ts';
import { cidr, isStrictSubset, readCidr } from '../validation/addresses.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { validateSelector } from '../validation/labels.ts';
import { portNumber, portNumberOrName } from '../validation/numbers.ts';

export const networkPolicies = defineResource<NetworkPolicy>({
  kind: NetworkPolicy,
  shortNames: ['netpol'],
  columns: [
    nameColumn,
    textColumn('Pod-Selector', ({ spec }: NetworkPolicy) => selectorText(spec?.podSelector ?? {})),
    ageColumn,
  ],
  strategy: {
    withDefaults: (object: NetworkPolicy) => changeIn(object, 'spec', defaultSpec),
    validate: ({ spec }: NetworkPolicy) => (spec ? validateSpec(spec) : []),
  },
});

function defaultSpec(spec: NetworkPolicySpec): NetworkPolicySpec {
  const port = (one: NetworkPolicyPort) => fillIn(one, { protocol: 'TCP' });
  const hasEgress = (spec.egress ?? []).length > 0;
  let complete = fillIn(spec, { policyTypes: ['Ingress', ...(hasEgress ? ['Egress'] : [])] });
  complete = changeEach(complete, 'ingress', (rule: NetworkPolicyIngressRule) =>
    changeEach(rule, 'ports', port),
  );
  return changeEach(complete, 'egress', (rule: NetworkPolicyEgressRule) =>
    changeEach(rule, 'ports', port),
  );
}

function validateSpec(spec: NetworkPolicySpec): FieldProblem[] {
  const { ingress = [], egress = [], policyTypes = [] } = spec;
  return [
    ...validateSelector('spec.podSelector', spec.podSelector),
    ...ingress.flatMap(({ ports = [], from = [] }, i) => [
      ...ports.flatMap((port, p) => validatePort(`spec.ingress[${i}].ports[${p}]`, port)),
      ...from.flatMap((peer, p) => validatePeer(`spec.ingress[${i}].from[${p}]`, peer)),
    ]),
    ...egress.flatMap(({ ports = [], to = [] }, i) => [
      ...ports.flatMap((port, p) => validatePort(`spec.egress[${i}].ports[${p}]`, port)),
      ...to.flatMap((peer, p) => validatePeer(`spec.egress[${i}].to[${p}]`, peer)),
    ]),
    ...validateTypes('spec.policyTypes', policyTypes),
  ];
}

function validateTypes(field: string, types: readonly string[]): FieldProblem[] {
  if (types.length > 2) return [invalid(field, types, 'may not specify more than two policyTypes')];
  return types.flatMap((type, i) => oneOf(`${field}[${i}]`, type, ['Ingress', 'Egress']));
}

function validatePort(
  field: string,
  { protocol, port, endPort }: NetworkPolicyPort,
): FieldProblem[] {
  return [
    ...(protocol ? oneOf(`${field}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']) : []),
    ...(typeof port === 'number' ? portNumber(`${field}.port`, port) : []),
    ...(endPort === undefined ? [] : validateEndPort(`${field}.endPort`, port, endPort)),
    ...(typeof port === 'string' ? portNumberOrName(`${field}.port`, port) : []),
  ];
}

function validateEndPort(
  field: string,
  port: number | string | undefined,
  end: number,
): FieldProblem[] {
  if (port === undefined) {
    return [invalid(field, end, 'may not be specified when `port` is not specified')];
  }
  if (typeof port === 'string') {
    return [invalid(field, end, 'may not be specified when `port` is non-numeric')];
  }
  const order = end < port ? [invalid(field, port, 'must be greater than or equal to `port`')] : [];
  return [...order, ...portNumber(field, end)];
}

function validatePeer(field: string, peer: NetworkPolicyPeer): FieldProblem[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const count = Object.keys(peer).length;
  return [
    ...validateSelector(`${field}.podSelector`, podSelector),
    ...validateSelector(`${field}.namespaceSelector`, namespaceSelector),
    ...(ipBlock ? validateBlock(`${field}.ipBlock`, ipBlock) : []),
    ...(count === 0 ? [required(field, 'must specify a peer')] : []),
    ...(count > 1 && ipBlock
      ? [forbidden(field, 'may not specify both ipBlock and another peer')]
      : []),
  ];
}

function validateBlock(field: string, block: IPBlock): FieldProblem[] {
  if (!block.cidr) return [required(`${field}.cidr`)];
  const outer = readCidr(block.cidr);
  if (!outer) return cidr(`${field}.cidr`, block.cidr);
  return (block.except ?? []).flatMap((text, i) => {
    const at = `${field}.except[${i}]`;
    const inner = readCidr(text);
    if (!inner) return cidr(at, text);
    return isStrictSubset(inner, outer)
      ? []
      : [invalid(at, text, 'must be a strict subset of `cidr`')];
  });
}
