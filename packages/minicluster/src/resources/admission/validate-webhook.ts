import type {
  RuleWithOperations,
  ValidatingWebhook,
  WebhookClientConfig,
} from 'kubernetes-types/admissionregistration/v1.d.ts';
import {
  type FieldProblem,
  invalid,
  invalidFor,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { validateSelector } from '../validation/labels.ts';
import { dnsSubdomainFaults, rfc1035LabelFaults } from '../validation/names.ts';
import { portNumber } from '../validation/numbers.ts';

const sideEffects: readonly string[] = ['None', 'NoneOnDryRun'];

export function validateWebhook(field: string, hook: ValidatingWebhook): FieldProblem[] {
  const { failurePolicy, matchPolicy, timeoutSeconds: seconds } = hook;
  const isOutOfRange = seconds !== undefined && (seconds < 1 || seconds > 30);
  const rule = 'the timeout value must be between 1 and 30 seconds';
  return [
    ...validateName(`${field}.name`, hook.name),
    ...(hook.rules ?? []).flatMap((one, i) => validateRule(`${field}.rules[${i}]`, one)),
    ...(failurePolicy ? oneOf(`${field}.failurePolicy`, failurePolicy, ['Fail', 'Ignore']) : []),
    ...(matchPolicy ? oneOf(`${field}.matchPolicy`, matchPolicy, ['Equivalent', 'Exact']) : []),
    ...validateSideEffects(`${field}.sideEffects`, hook.sideEffects),
    ...(isOutOfRange ? [invalid(`${field}.timeoutSeconds`, seconds, rule)] : []),
    ...validateSelector(`${field}.namespaceSelector`, hook.namespaceSelector),
    ...validateSelector(`${field}.objectSelector`, hook.objectSelector),
    ...validateClient(`${field}.clientConfig`, hook.clientConfig ?? {}),
    ...validateVersions(`${field}.admissionReviewVersions`, hook.admissionReviewVersions ?? []),
  ];
}

/** A domain, so that the hooks of different people do not meet. */
function validateName(field: string, name: string): FieldProblem[] {
  if (!name) return [required(field)];
  const faults = dnsSubdomainFaults(name);
  if (faults.length > 0) return [invalid(field, name, faults.join(','))];
  if (name.split('.').length >= 3) return [];
  return [
    invalid(field, name, 'should be a domain with at least three segments separated by dots'),
  ];
}

function validateSideEffects(field: string, effects: string | null | undefined): FieldProblem[] {
  if (!effects) return [required(field, `must specify one of ${sideEffects.join(', ')}`)];
  return oneOf(field, effects, sideEffects);
}

const operations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

export function validateRule(field: string, rule: RuleWithOperations): FieldProblem[] {
  const { apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const asked = rule.operations ?? [];
  return [
    ...validateList(`${field}.operations`, asked, 'operations'),
    ...asked.flatMap((one, i) => oneOf(`${field}.operations[${i}]`, one, operations)),
    ...validateList(`${field}.apiGroups`, apiGroups, 'API groups'),
    ...validateList(`${field}.apiVersions`, apiVersions, 'API versions'),
    ...apiVersions.flatMap((one, i) => (one ? [] : [required(`${field}.apiVersions[${i}]`)])),
    ...validateResources(`${field}.resources`, resources),
    ...(scope ? oneOf(`${field}.scope`, scope, ['*', 'Cluster', 'Namespaced']) : []),
  ];
}

/** A star says all there is to say. */
function validateList(field: string, values: readonly string[], what: string): FieldProblem[] {
  if (values.length === 0) return [required(field)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [invalid(field, values, `if '*' is present, must not specify other ${what}`)];
}

function validateResources(field: string, resources: readonly string[]): FieldProblem[] {
  if (resources.length === 0) return [required(field)];
  const empty = resources.flatMap((one, i) => (one ? [] : [required(`${field}[${i}]`)]));
  const hasAll = resources.length > 1 && resources.includes('*/*');
  const hasPlain = resources.some((one) => one !== '*' && !one.includes('/'));
  const isMixed = resources.includes('*') && hasPlain;
  const all = "if '*/*' is present, must not specify other resources";
  const mixed = "if '*' is present, must not specify other resources without subresources";
  return [
    ...empty,
    ...validateSubresources(field, resources),
    ...(hasAll ? [invalid(field, resources, all)] : []),
    ...(isMixed ? [invalid(field, resources, mixed)] : []),
  ];
}

function validateSubresources(field: string, resources: readonly string[]): FieldProblem[] {
  return resources.flatMap((one, i) => {
    const [resource, subresource] = one.split('/', 2);
    if (subresource === undefined) return [];
    const covering = [`${resource}/*`, `*/${subresource}`].filter((star) => {
      return resources.slice(0, i).includes(star);
    });
    return covering.map((star) =>
      invalid(`${field}[${i}]`, one, `if '${star}' is present, must not specify ${one}`),
    );
  });
}

function validateClient(field: string, { url, service }: WebhookClientConfig): FieldProblem[] {
  if ((url === undefined) === (service === undefined)) {
    return [required(field, 'exactly one of url or service is required')];
  }
  if (url !== undefined) return validateUrl(`${field}.url`, url);
  const { name, namespace, path, port = 443 } = service ?? { name: '', namespace: '' };
  const at = `${field}.service`;
  const rule = 'port is not valid: must be between 1 and 65535, inclusive';
  return [
    // The server has them mixed up.
    ...(namespace ? [] : [required(`${at}.name`)]),
    ...(name ? [] : [required(`${at}.namespace`)]),
    ...(portNumber('', port).length > 0 ? [invalid(`${at}.port`, port, rule)] : []),
    ...validatePath(`${at}.path`, path ?? '/'),
  ];
}

const form = '; desired format: https://host[/path]';

function validateUrl(field: string, text: string): FieldProblem[] {
  const [, scheme = '', authority = '', , query, fragment] =
    /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  const [user, host] = [authority.slice(0, Math.max(at, 0)), authority.slice(at + 1)];
  const checks: readonly [boolean, string, string][] = [
    [scheme !== 'https', scheme, `'https' is the only allowed URL scheme${form}`],
    [host === '', host, `host must be specified${form}`],
    [at >= 0, user, 'user information is not permitted in the URL'],
    [Boolean(fragment), fragment ?? '', 'fragments are not permitted in the URL'],
    [Boolean(query), query ?? '', 'query parameters are not permitted in the URL'],
  ];
  return checks
    .filter(([isWrong]) => isWrong)
    .map(([, value, rule]) => invalid(field, value, rule));
}

function validatePath(field: string, path: string): FieldProblem[] {
  if (path === '/' || path === '') return [];
  if (path === '//') return [invalid(field, path, 'segment[0] may not be empty')];
  const start = path.startsWith('/') ? [] : [invalid(field, path, "must start with a '/'")];
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  const problems = segments.flatMap((segment, i) => {
    if (!segment) return [invalid(field, path, `segment[${i}] may not be empty`)];
    const faults = dnsSubdomainFaults(segment);
    return faults.map((fault) => invalid(field, path, `segment[${i}]: ${fault}`));
  });
  return [...start, ...problems];
}

const knownVersions: readonly string[] = ['v1', 'v1beta1'];

function validateVersions(field: string, versions: readonly string[]): FieldProblem[] {
  const listed = knownVersions.join(', ');
  if (versions.length === 0) return [required(field, `must specify one of ${listed}`)];
  const problems = versions.flatMap((version, i) => {
    const at = `${field}[${i}]`;
    if (versions.indexOf(version) < i) return [invalid(at, version, 'duplicate version')];
    return invalidFor(at, version, rfc1035LabelFaults(version));
  });
  if (versions.some((version) => knownVersions.includes(version))) return problems;
  return [...problems, invalid(field, versions, `must include at least one of ${listed}`)];
}
