import {
  isAlreadyExists,
  keyOf,
  keyString,
  Namespace,
  ServiceAccount,
  type Stored,
} from '@liqo/kube';
import type { ControllerContext } from './controller-context.ts';

const name = 'default';

/** Every namespace has a service account `default`, again after somebody deleted it. */
export function startServiceAccountController(context: ControllerContext): void {
  const namespaces = context.informer(Namespace);
  const accounts = context.informer(ServiceAccount);
  const loop = context.loop('serviceaccount', async (namespace) => {
    const home = namespaces.get({ name: namespace });
    if (!home || !isNamespaceActive(home) || accounts.get({ namespace, name })) return undefined;
    try {
      await accounts.create({ metadata: { namespace, name } });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    return undefined;
  });
  namespaces.onChange((current) => current && loop.add(keyString(keyOf(current))));
  accounts.onChange((current, previous) => {
    if (!current && previous?.metadata.name === name) loop.add(previous.metadata.namespace ?? '');
  });
}

export function isNamespaceActive({ status, metadata }: Stored<Namespace>): boolean {
  return status?.phase !== 'Terminating' && metadata.deletionTimestamp === undefined;
}
