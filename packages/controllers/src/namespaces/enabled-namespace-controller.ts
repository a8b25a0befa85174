import { fixedNames, NamespaceOffloading } from '@liqo/api';
import { Namespace, type ObjectKey, type Stored } from '@liqo/kube';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { enabledNamespaces } from '../selections.ts';
import { EnabledNamespaceReconciler } from './reconcile-enabled-namespace.ts';

/** At a consumer: offloads the namespaces that have the label `liqo.io/enabled`, with the default strategy. */
export function startEnabledNamespaceController(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const namespaces = loop.watch(Namespace, enabledNamespaces);
  const offloadings = loop.watch(NamespaceOffloading);
  const reconciler = new EnabledNamespaceReconciler({ ...context, namespaces, offloadings });
  return loop.run({
    name: 'enablednamespace',
    sources: [primary(namespaces), mapped(offloadings, namespaceOf)],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

function namespaceOf({ metadata }: Stored<NamespaceOffloading>): readonly ObjectKey[] {
  const { name, namespace = '' } = metadata;
  return name === fixedNames.namespaceOffloading ? [{ name: namespace }] : [];
}
