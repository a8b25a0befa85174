import type { ShadowPod } from '@liqo/api';
import { isJsonObject, type Stored } from '@liqo/kube';
import { readMetadata } from './read-metadata.ts';
import { line, object, oneOf, prose } from './readers.ts';

const readStatus = object({
  phase: oneOf(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'], 'Unknown'),
  reason: line(128),
  message: prose(1024),
});

/**
 * A ShadowPod of the provider with values of the right types. A pod in it that cannot be read is left out, as if it were
 * another one than the wanted. Undefined if it is no ShadowPod at all. Never throws.
 */
export function readRemoteShadowPod(shadowPod: Stored<ShadowPod>): Stored<ShadowPod> | undefined {
  const metadata = readMetadata(shadowPod.metadata);
  if (!metadata) return undefined;
  const { apiVersion, kind } = shadowPod;
  const { pod, ...others } = isJsonObject(shadowPod.spec) ? shadowPod.spec : {};
  const spec = { ...others, ...(isPodSpec(pod) && { pod }) } as ShadowPod['spec'];
  const status = readStatus(shadowPod.status) as ShadowPod['status'];
  return { apiVersion, kind, metadata, spec, ...(status && { status }) };
}

function isPodSpec(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { containers, initContainers, ephemeralContainers, tolerations } = value;
  return (
    [containers, initContainers ?? [], ephemeralContainers ?? []].every(areContainers) &&
    areObjects(tolerations ?? []) &&
    areRequirements(value.resources)
  );
}

function areContainers(value: unknown): boolean {
  return (
    areObjects(value) &&
    value.every(({ name, resources }) => typeof name === 'string' && areRequirements(resources))
  );
}

function areObjects(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

function areRequirements(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (!isJsonObject(value)) return false;
  const { requests, limits } = value;
  return [requests ?? {}, limits ?? {}].every(
    (amounts) =>
      isJsonObject(amounts) &&
      Object.values(amounts).every((one) => typeof one === 'string' || typeof one === 'number'),
  );
}
