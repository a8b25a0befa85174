import { fixedNames } from '@liqo/api';
import { type Client, ConfigMap, isForbidden, type Namespace, type Stored } from '@liqo/kube';
import { whyNotOffloadable } from '@liqo/model';
import { attempt } from '../explain.ts';
import { UserError } from '../user-error.ts';

/** Throws if one of the namespaces must not be offloaded. The controllers refuse it as well, but only once it is asked for. */
export async function refuseReservedNamespaces(
  client: Client,
  namespaces: readonly Stored<Namespace>[],
  signal: AbortSignal,
): Promise<void> {
  for (const { metadata } of namespaces) {
    const hasLiqo = await isLiqoIn(client, metadata.name, signal);
    refuse(metadata.name, whyNotOffloadable(metadata, hasLiqo ? metadata.name : ''));
  }
}

/** The same without a cluster: what the names alone tell. */
export function refuseReservedNames(names: readonly string[]): void {
  for (const name of names) refuse(name, whyNotOffloadable({ name }, ''));
}

/** A person who may not read there is let pass: the controllers know where they are installed. */
async function isLiqoIn(client: Client, namespace: string, signal: AbortSignal): Promise<boolean> {
  const key = { namespace, name: fixedNames.clusterIDConfigMap };
  const reading = client.get(ConfigMap, key, signal).catch((error) => {
    if (isForbidden(error)) return undefined;
    throw error;
  });
  return (await attempt(`look at the namespace "${namespace}"`, reading)) !== undefined;
}

function refuse(name: string, why: string | undefined): void {
  if (why === undefined) return;
  const hint = 'Choose a namespace of your own applications';
  throw new UserError(`Cannot offload the namespace "${name}": ${why}`, { hint });
}
