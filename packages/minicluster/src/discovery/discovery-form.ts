import { ApiError } from '@liqo/kube';
import type { ApiRequest } from '../rest/api-request.ts';

type DiscoveryForm = 'aggregated' | 'legacy';

export const aggregatedType =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The first of a client's alternatives that the server has. Throws an `ApiError` when it has none of them. */
export function readDiscoveryForm({ headers }: ApiRequest): DiscoveryForm {
  const accepted = headers.accept || '*/*';
  for (const alternative of accepted.split(',')) {
    const [type = '', ...parameters] = alternative.split(';').map((part) => part.trim());
    if (!['application/json', 'application/*', '*/*'].includes(type)) continue;
    const asked = new Map(parameters.map((parameter) => splitParameter(parameter)));
    if (!asked.has('as')) return 'legacy';
    if (isAggregated(asked)) return 'aggregated';
  }
  throw notAcceptable();
}

function splitParameter(parameter: string): [string, string] {
  const equals = parameter.indexOf('=');
  return [parameter.slice(0, equals), parameter.slice(equals + 1)];
}

function isAggregated(asked: ReadonlyMap<string, string>): boolean {
  const wanted = { g: 'apidiscovery.k8s.io', v: 'v2', as: 'APIGroupDiscoveryList' };
  return Object.entries(wanted).every(([name, value]) => asked.get(name) === value);
}

function notAcceptable(): ApiError {
  const message = 'only the following media types are accepted: application/json';
  return new ApiError({ status: 'Failure', code: 406, reason: 'NotAcceptable', message });
}
