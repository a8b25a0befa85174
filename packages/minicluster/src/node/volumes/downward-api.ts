import { type Pod, parseQuantity, quantityMilliValue, type Stored } from '@liqo/kube';
import type { Container, ResourceFieldSelector } from 'kubernetes-types/core/v1.d.ts';

/** What a pod can be told about itself besides what its object says. */
export interface PodPlace {
  readonly nodeName: string;
  readonly hostIP: string;
  readonly podIP: string | undefined;
}

/** The value of a field of the pod, as environment variables and files get it. */
export function fieldOf(pod: Stored<Pod>, path: string, place: PodPlace): string {
  const { metadata, spec } = pod;
  const entry = /^metadata\.(annotations|labels)\['(.*)'\]$/.exec(path);
  if (entry) return metadata[entry[1] as 'annotations' | 'labels']?.[entry[2] ?? ''] ?? '';
  const fields: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'metadata.labels': formatMap(metadata.labels),
    'metadata.annotations': formatMap(metadata.annotations),
    'spec.nodeName': place.nodeName,
    'spec.serviceAccountName': spec?.serviceAccountName,
    'status.hostIP': place.hostIP,
    'status.hostIPs': place.hostIP,
    'status.podIP': place.podIP,
    'status.podIPs': place.podIP,
  };
  return fields[path] ?? '';
}

/** The request or limit of a container, in units of the divisor, rounded up. */
export function resourceFieldOf(container: Container, selector: ResourceFieldSelector): string {
  const [kind, ...rest] = selector.resource.split('.');
  const list = kind === 'limits' ? container.resources?.limits : container.resources?.requests;
  const amount = quantityMilliValue(parseQuantity(list?.[rest.join('.')] ?? '0'));
  const divisor = quantityMilliValue(parseQuantity(selector.divisor ?? '1')) || 1000n;
  return String((amount + divisor - 1n) / divisor);
}

function formatMap(map: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join('\n');
}
