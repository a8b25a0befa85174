import { type KubeObject, Namespace } from '@liqo/kube';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { tenantNamespaces } from '../selections.ts';
import { TenantAccessReconciler } from './reconcile-tenant-access.ts';

/** Gives the controllers rights on Secrets where they need them: in tenant namespaces, and nowhere else. */
export function startTenantAccessController(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const namespaces = loop.watch(Namespace, tenantNamespaces);
  const { secrets, bindings } = loop.watchTenantSecrets();
  const reconciler = new TenantAccessReconciler({ ...context, namespaces, bindings });
  const namespaceOf = ({ metadata }: KubeObject) => [{ name: metadata?.namespace ?? '' }];
  return loop.run({
    name: 'tenantaccess',
    sources: [primary(namespaces), mapped(bindings, namespaceOf), mapped(secrets, namespaceOf)],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}
