import { type Clock, formatTime, type KubeObject, keyString, type Random } from '@liqo/kube';
import type { Store } from '../../store/store.ts';
import { randomUuid } from '../random-uuid.ts';
import type { BootstrapPolicy } from './bootstrap-policy.ts';

interface InstallOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
}

/** Puts the stock roles and bindings into a new store, before anybody could ask for them. */
export function installBootstrapPolicy(policy: BootstrapPolicy, options: InstallOptions): void {
  install('clusterroles', policy.clusterRoles, options);
  install('clusterrolebindings', policy.clusterRoleBindings, options);
  install('roles', policy.roles, options);
  install('rolebindings', policy.roleBindings, options);
}

function install(
  plural: string,
  objects: readonly KubeObject[],
  { store, clock, random }: InstallOptions,
): void {
  const collection = store.collection(`${plural}.rbac.authorization.k8s.io`);
  const creationTimestamp = formatTime(clock.now());
  for (const object of objects) {
    const { namespace, name = '' } = object.metadata ?? {};
    const metadata = { ...object.metadata, uid: randomUuid(random), creationTimestamp };
    collection.put(keyString({ namespace, name }), undefined, { ...object, metadata });
  }
}
