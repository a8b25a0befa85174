import { labels } from '@liqo/api';
import { isJsonObject, type Kind, type KubeObject, type Stored } from '@liqo/kube';
import { planReflection, type ReflectionPlan, type ReflectionRefusal } from './plan-reflection.ts';
import { readReflected, reflectionManager } from './read-reflected.ts';
import type { ReflectionRoute } from './reflection-route.ts';

/** An object of a kind that is known to both clusters, and not here. */
export interface CustomObject extends KubeObject {
  readonly spec?: unknown;
  readonly status?: unknown;
  /** Why the status of a copy is not taken over. Of what is kept of a copy, and never sent. */
  readonly statusProblem?: string;
}

/** The spec goes to the provider; what its API server or its controllers add to it stays there. */
export function planCustomResource(kind: Kind<CustomObject>): ReflectionPlan<CustomObject> {
  return planReflection<CustomObject>({
    kind,
    refuse: refuseCopyOfPeer,
    forge: ({ spec }) => ({ ...(spec !== undefined && { spec }) }),
  });
}

/** A copy that is reflected again could come back to the cluster of its original, and its status would have two sources. */
export function refuseCopyOfPeer(
  { kind = 'object', metadata }: Stored<CustomObject>,
  { consumerClusterID }: Pick<ReflectionRoute, 'consumerClusterID'>,
): ReflectionRefusal | undefined {
  const origin = metadata.labels?.[labels.origin];
  if (!origin || metadata.labels?.[labels.destination] !== consumerClusterID) return undefined;
  const message =
    `${kind} "${metadata.name}" is not reflected: it is itself the copy of an object of cluster "${origin}". ` +
    'Reflect it from there to every provider that needs it';
  return { reason: 'ReflectionLoop', message };
}

/** Of the status of a copy, which a provider writes as it likes. */
const largestStatus = 64 * 1024;
const deepestStatus = 32;

/** A copy as `readReflected` gives it, with its status in full unless that is not fit to be taken over. Never throws. */
export function readCustomCopy(object: Stored<CustomObject>): Stored<CustomObject> | undefined {
  const { status: _, statusProblem: __, ...others } = object;
  const copy = readReflected(others as Stored<CustomObject>);
  if (!copy || object.status === undefined) return copy;
  const problem = whyNotTaken(object.status);
  if (problem !== undefined) return { ...copy, statusProblem: problem };
  return { ...copy, status: object.status };
}

function whyNotTaken(status: unknown): string | undefined {
  if (!isJsonObject(status)) return 'it is no object';
  if (!isShallow(status, deepestStatus)) return `it is nested deeper than ${deepestStatus} levels`;
  const length = JSON.stringify(status).length;
  if (length <= largestStatus) return undefined;
  return `it has ${Math.ceil(length / 1024)} KiB, and ${largestStatus / 1024} KiB are allowed`;
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

/** Who writes the status of originals, for each provider: what one has written, another one does not change. */
export function statusManager(providerClusterID: string): string {
  return `${reflectionManager}/${providerClusterID}`;
}

/** Keeps of `managedFields` what says which fields of the status were taken over. */
export function withStatusOwners(object: Stored<CustomObject>): Stored<CustomObject> {
  const { managedFields, ...metadata } = object.metadata;
  const ours = (managedFields ?? []).filter(
    ({ manager, subresource }) =>
      manager?.startsWith(`${reflectionManager}/`) && subresource === 'status',
  );
  return { ...object, metadata: { ...metadata, ...(ours.length > 0 && { managedFields: ours }) } };
}

type Fields = Readonly<Record<string, unknown>>;

/** The status of the original as the provider's is to be read at the consumer: generations are those of the original. */
export function translateStatus(
  { status, metadata }: Stored<CustomObject>,
  { metadata: { generation: wanted = 0 } }: Stored<CustomObject>,
): Fields | undefined {
  if (!isJsonObject(status)) return undefined;
  const present = metadata.generation ?? 0;
  const translate = (value: Fields): Fields => {
    const { observedGeneration: observed } = value;
    if (typeof observed !== 'number') return value;
    const isCurrent = observed >= present;
    return { ...value, observedGeneration: isCurrent ? wanted : Math.max(0, wanted - 1) };
  };
  const { conditions } = status;
  return {
    ...translate(status),
    ...(Array.isArray(conditions) && {
      conditions: conditions.map((one) => (isJsonObject(one) ? translate(one) : one)),
    }),
  };
}
