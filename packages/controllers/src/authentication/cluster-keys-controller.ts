import type { KeyObject } from 'node:crypto';
import { fixedNames } from '@liqo/api';
import { Secret } from '@liqo/kube';
import { external, type Informer, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ClusterKeysReader } from './cluster-keys-reader.ts';
import { ClusterKeysReconciler } from './reconcile-cluster-keys.ts';

/** The keys of this cluster, for controllers that sign with them. */
export interface ClusterKeysControl extends Stoppable {
  readonly clusterKeys: ClusterKeysReader;
  readonly keysSecret: Informer<Secret>;
}

export function startClusterKeysController(
  context: ControllerContext,
  newKey: () => KeyObject,
): ClusterKeysControl {
  const { client, events, liqoNamespace } = context;
  const loop = new ControlLoop(context);
  const fieldSelector = `metadata.name=${fixedNames.authenticationKeysSecret}`;
  const keysSecret = loop.watchAlone(Secret, {
    selection: { namespace: liqoNamespace, fieldSelector },
  });
  const clusterKeys = new ClusterKeysReader(keysSecret, liqoNamespace);
  const start = external();
  start.enqueue(clusterKeys.key);
  const reconciler = new ClusterKeysReconciler({ client, events, secrets: keysSecret, newKey });
  loop.run({
    name: 'cluster-keys',
    sources: [primary(keysSecret), start],
    reconcile: (key, run) => reconciler.reconcile(key, run),
    onTerminalError: (key, error) => reconciler.reportTerminal(key, error),
  });
  return Object.assign(loop, { clusterKeys, keysSecret });
}
