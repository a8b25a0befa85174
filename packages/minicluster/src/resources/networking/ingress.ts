import { Ingress } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { ingressAddresses } from '../services/service.ts';
import { validateHostname } from '../services/validate-cluster-ips.ts';
import { ipAddress } from '../validation/addresses.ts';
import type { FieldProblem } from '../validation/field-problem.ts';
import { validateIngress } from './validate-ingress.ts';

export const ingresses = defineResource<Ingress>({
  kind: Ingress,
  shortNames: ['ing'],
  subresources: { status: partOf(Ingress) },
  columns: [
    nameColumn,
    textColumn('Class', ({ spec }: Ingress) => spec?.ingressClassName ?? '<none>'),
    textColumn('Hosts', hostsText),
    textColumn('Address', ({ status }: Ingress) => {
      return ingressAddresses(status?.loadBalancer?.ingress).join(',');
    }),
    textColumn('Ports', ({ spec }: Ingress) => (spec?.tls?.length ? '80, 443' : '80')),
    ageColumn,
  ],
  freshStatus: { loadBalancer: {} },
  strategy: {
    validate: validateIngress,
    validateStatusUpdate,
  },
});

const shown = 3;

function hostsText({ spec }: Ingress): string {
  const rules = spec?.rules ?? [];
  const places = rules.flatMap(({ host }, i) => (host ? [i] : []));
  if (places.length === 0) return '*';
  const text = places
    .slice(0, shown)
    .map((i) => rules[i]?.host)
    .join(',');
  // Whatever comes after the last host that is shown is more, with a host or without.
  const isAll = (places[shown - 1] ?? rules.length) >= rules.length - 1;
  return isAll ? text : `${text} + ${rules.length - shown} more...`;
}

function validateStatusUpdate({ status }: Ingress): FieldProblem[] {
  const field = 'status.loadBalancer.ingress';
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }, i) => [
    ...(ip ? ipAddress(`${field}[${i}].ip`, ip) : []),
    ...validateHostname(`${field}[${i}].hostname`, hostname),
  ]);
}
