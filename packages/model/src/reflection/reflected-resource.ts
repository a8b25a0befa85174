import { builtInGroups } from '@liqo/api';
import type { VersionedResource } from '@liqo/kube';
import type { ReflectionProblem } from './reflection-conditions.ts';
import type { ReflectionPolicy } from './reflection-route.ts';

/** A custom resource that is reflected, as a VkOptionsTemplate names it. */
export interface ReflectedCustomResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly policy: ReflectionPolicy;
}

const label = '[a-z](?:[-a-z0-9]*[a-z0-9])?';
const form = new RegExp(
  `^(?<plural>${label})\\.(?<version>${label})\\.(?<group>[-a-z0-9]+(?:\\.[-a-z0-9]+)+)(?::(?<policy>AllowList|DenyList))?$`,
);

/** As kubectl writes it, `widgets.v1.example.org`, and the policy after a colon if it is not the default one. */
export function formatReflectedResource(resource: ReflectedCustomResource): string {
  const { group, version, plural, policy } = resource;
  return `${plural}.${version}.${group}${policy === 'DenyList' ? '' : `:${policy}`}`;
}

/** Undefined for a text that names no resource, and for kinds of Kubernetes and of Liqo, which have reflectors of their own or none. */
export function parseReflectedResource(text: string): ReflectedCustomResource | undefined {
  const { plural = '', version = '', group = '', policy } = form.exec(text)?.groups ?? {};
  if (!group || isBuiltIn(group)) return undefined;
  return { group, version, plural, policy: policy === 'AllowList' ? policy : 'DenyList' };
}

function isBuiltIn(group: string): boolean {
  return builtInGroups.includes(group) || group === 'liqo.io' || group.endsWith('.liqo.io');
}

/** The resource as the API servers of both clusters describe it; undefined where it is not served. */
interface ServedResource {
  readonly local: VersionedResource | undefined;
  readonly remote: VersionedResource | undefined;
}

/** Why no object of the resource can be reflected. */
export function whyKindNotReflected(
  { group, version, plural }: ReflectedCustomResource,
  { local, remote }: ServedResource,
  providerClusterID: string,
): ReflectionProblem | undefined {
  const name = `${plural}.${version}.${group}`;
  const provider = `provider "${providerClusterID}"`;
  if (!local) {
    const message = `This cluster does not serve ${name}: install its CustomResourceDefinition`;
    return { reason: 'MissingAtConsumer', message };
  }
  if (!local.namespaced) {
    const message = `The objects of ${name} are in no namespace, and only those of namespaces are reflected`;
    return { reason: 'NotNamespaced', message };
  }
  if (!remote) {
    const message = `The ${provider} does not serve ${name}: its CustomResourceDefinition has to be installed there`;
    return { reason: 'MissingAtProvider', message };
  }
  if (remote.namespaced && remote.kind === local.kind) return undefined;
  const message = `The resource ${name} of ${provider} is another kind than that of this cluster`;
  return { reason: 'DifferentAtProvider', message };
}
