import { IngressClass, type Stored } from '@liqo/kube';
import type { IngressClassParametersReference } from 'kubernetes-types/networking/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  oneOf,
  required,
  tooLong,
} from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { breaks, dnsLabelFaults, dnsSubdomainFaults } from '../validation/names.ts';
import { validateReference } from './validate-reference.ts';

export const ingressClasses = defineResource<IngressClass>({
  kind: IngressClass,
  columns: [
    nameColumn,
    textColumn('Controller', ({ spec }: IngressClass) => spec?.controller ?? ''),
    textColumn('Parameters', ({ spec }: IngressClass) => parametersText(spec?.parameters)),
    ageColumn,
  ],
  strategy: {
    withDefaults: (object: IngressClass) =>
      changeIn(object, 'spec', (spec) =>
        changeIn(spec, 'parameters', (one) => fillIn(one, { scope: 'Cluster' })),
      ),
    validate: validateIngressClass,
    validateUpdate: (next: IngressClass, previous: Stored<IngressClass>) =>
      unchanged('spec.controller', next.spec?.controller ?? '', previous.spec?.controller ?? ''),
  },
});

function parametersText(parameters: IngressClassParametersReference | undefined): string {
  if (!parameters) return '<none>';
  const { apiGroup, kind, name } = parameters;
  return `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name}`;
}

const maxControllerBytes = 250;

function validateIngressClass({ spec = {} }: IngressClass): FieldProblem[] {
  const { controller = '', parameters } = spec;
  return [
    ...(controller.length > maxControllerBytes
      ? [tooLong('spec.controller', maxControllerBytes)]
      : []),
    ...domainPrefixedPath('spec.controller', controller),
    ...(parameters ? validateParameters('spec.parameters', parameters) : []),
  ];
}

const pathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** `example.com/controller`. */
function domainPrefixedPath(field: string, text: string): FieldProblem[] {
  if (!text) return [required(field)];
  const slash = text.indexOf('/');
  const [host, path] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash <= 0 || path === '') {
    return [invalid(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const isFine = new RegExp(`^${pathPattern}$`).test(path);
  return [
    ...invalidFor(field, host, dnsSubdomainFaults(host)),
    ...(isFine ? [] : [invalid(field, path, breaks('Invalid path', pathPattern))]),
  ];
}

function validateParameters(
  field: string,
  parameters: IngressClassParametersReference,
): FieldProblem[] {
  const { scope, namespace } = parameters;
  const reference = validateReference(field, parameters);
  if (!scope) return [...reference, required(`${field}.scope`)];
  const known = oneOf(`${field}.scope`, scope, ['Cluster', 'Namespace']);
  if (known.length > 0) return [...reference, ...known];
  return [...reference, ...validateNamespace(`${field}.namespace`, scope, namespace)];
}

function validateNamespace(
  field: string,
  scope: string,
  namespace: string | undefined,
): FieldProblem[] {
  if (scope === 'Cluster') {
    if (namespace === undefined) return [];
    return [forbidden(field, "`parameters.scope` is set to 'Cluster'")];
  }
  if (namespace !== undefined) return invalidFor(field, namespace, dnsLabelFaults(namespace));
  return [required(field, "`parameters.scope` is set to 'Namespace'")];
}
