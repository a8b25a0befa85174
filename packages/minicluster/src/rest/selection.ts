import {
  type KubeObject,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
} from '@liqo/kube';
import type { ApiRequest } from './api-request.ts';
import { badRequest } from './refusal.ts';
import type { Resource } from './resource.ts';

/** Which objects of a resource a request is about. */
export interface Selection {
  /** Whether the path alone leads to it. */
  covers(object: KubeObject): boolean;
  matches(object: KubeObject): boolean;
  /** Neither labels nor fields narrow it. */
  readonly isEverything: boolean;
  /** The name is given: there is at most one. */
  readonly isOne: boolean;
}

/** From the path (namespace, or a name for `…/watch` of one object) and the two selectors. */
export function readSelection(resource: Resource, request: ApiRequest): Selection {
  const labels = readLabels(request.query.get('labelSelector') ?? '');
  const fields = readFields(resource, request.query.get('fieldSelector') ?? '');
  const namespace = resource.namespaced ? request.info.resource?.namespace : undefined;
  const covers = ({ metadata }: KubeObject) =>
    namespace === undefined || metadata?.namespace === namespace;
  const isEverything = labels.requirements.length === 0 && fields.length === 0;
  const selects = (object: KubeObject) =>
    matchesLabels(labels, object.metadata?.labels ?? {}) &&
    matchesFields(fields, (field) => fieldOf(resource, object, field));
  return {
    covers,
    isEverything,
    isOne: fields.some(({ field, operator }) => field === 'metadata.name' && operator !== '!='),
    matches: (object) => covers(object) && (isEverything || selects(object)),
  };
}

function readLabels(text: string) {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw badRequest(`unable to parse requirement: ${messageOf(error)}`);
  }
}

function readFields(resource: Resource, text: string) {
  const selector = parse(text);
  for (const { field } of selector) {
    if (field === 'metadata.name' || field === 'metadata.namespace') continue;
    if (resource.selectableFields[field]) continue;
    const hasOthers = Object.keys(resource.selectableFields).length > 0;
    throw badRequest(
      hasOthers
        ? `field label not supported: ${field}`
        : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
  return selector;
}

function parse(text: string) {
  try {
    return parseFieldSelector(text);
  } catch (error) {
    throw badRequest(messageOf(error));
  }
}

function fieldOf(resource: Resource, object: KubeObject, field: string): string {
  if (field === 'metadata.name') return object.metadata?.name ?? '';
  if (field === 'metadata.namespace') return object.metadata?.namespace ?? '';
  return resource.selectableFields[field]?.(object) ?? '';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
