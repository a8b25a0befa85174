import { apiVersionOf, applyMergePatch, type Clock, type KubeObject } from '@liqo/kube';
import type { FieldProblem } from '../../rest/refusal.ts';
import type { Resource } from '../../rest/resource.ts';
import { decodeObject } from '../../schema/decode.ts';
import type { Item } from '../../store/collection.ts';
import { builtInResources } from '../built-in.ts';

/** Objects on their way through a strategy, in the order in which the server calls it. */

export const writtenAt = '2026-01-02T03:04:05Z';

const stoppedClock: Clock = {
  now: () => Date.parse(writtenAt),
  monotonicMs: () => 0,
  after: () => ({ cancel: () => {} }),
};

/** `pods`, `deployments.apps`. */
export function resourcesByName(): ReadonlyMap<string, Resource> {
  const handled = { 'namespaces/finalize': async () => ({ status: 200 }) };
  const resources = builtInResources({
    clock: stoppedClock,
    random: () => 0.5,
    serviceCidr: '10.96.0.0/16',
    subresourceHandlers: handled,
  });
  return new Map(resources.map((resource) => [nameOf(resource), resource]));
}

function nameOf({ plural, group }: Resource): string {
  return group ? `${plural}.${group}` : plural;
}

function decode(resource: Resource, value: unknown): KubeObject {
  const { object } = decodeObject(resource.schemas, resource.schema, value);
  const typed = { ...(object as object), apiVersion: apiVersionOf(resource), kind: resource.kind };
  return resource.strategy.withDefaults?.(typed) ?? typed;
}

/** As it would be stored, and what is wrong with it. */
export interface Written {
  readonly item: Item;
  readonly problems: readonly FieldProblem[];
}

export function create(resource: Resource, input: KubeObject): Written {
  const { strategy } = resource;
  const decoded = decode(resource, input);
  const metadata = {
    ...decoded.metadata,
    ...(resource.namespaced && { namespace: 'rec-d' }),
    uid: 'uid-of-object',
    creationTimestamp: writtenAt,
    resourceVersion: '1',
    ...(strategy.generation !== 'none' && { generation: 1 }),
  };
  const named = { ...decoded, metadata };
  const begun = strategy.onCreate?.(named) ?? named;
  const complete = strategy.withDefaults?.(begun) ?? begun;
  const faults = strategy.validate?.(complete) ?? [];
  const problems = [...faults, ...(strategy.validateCreate?.(complete) ?? [])];
  return { item: complete as Item, problems };
}

/** `change` is a merge patch, written to the object or to a part of it. */
export function update(
  resource: Resource,
  previous: Item,
  change: object,
  subresource = '',
): Written {
  const { strategy } = resource;
  const wanted = decode(resource, applyMergePatch(previous as never, change as never));
  const isStatus = subresource === 'status';
  const next = isStatus
    ? (strategy.onStatusUpdate?.(wanted, previous) ?? wanted)
    : (strategy.onUpdate?.(wanted, previous) ?? wanted);
  const complete = strategy.withDefaults?.(next) ?? next;
  const problems = isStatus
    ? (strategy.validateStatusUpdate?.(complete, previous) ?? [])
    : [
        ...(strategy.validate?.(complete) ?? []),
        ...(strategy.validateUpdate?.(complete, previous) ?? []),
      ];
  return { item: complete as Item, problems };
}
