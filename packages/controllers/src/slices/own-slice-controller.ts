import {
  fixedNames,
  Identity,
  labels,
  ResourceSlice,
  VirtualNode,
  VkOptionsTemplate,
} from '@liqo/api';
import { type KubeObject, keyOf, type ObjectKey } from '@liqo/kube';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import type { ClusterKeysControl } from '../authentication/cluster-keys-controller.ts';
import type { TenantSecrets } from '../authentication/tenant-secrets.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ownSlices } from '../selections.ts';
import { OwnSliceReconciler } from './reconcile-own-slice.ts';

/** At a consumer: asks providers for slices, and makes identities and virtual nodes of what they grant. */
export function startOwnSliceController(
  context: ControllerContext,
  { namespaces, whyMisplaced }: Pick<TenantSecrets, 'namespaces' | 'whyMisplaced'>,
  { clusterKeys, keysSecret }: ClusterKeysControl,
): Stoppable {
  const { client, clusterID, events, liqoNamespace } = context;
  const loop = new ControlLoop(context);
  const slices = loop.watch<ResourceSlice>(ResourceSlice, ownSlices);
  const identities = loop.watch(Identity);
  const virtualNodes = loop.watch(VirtualNode);
  const templates = loop.watch(VkOptionsTemplate);
  const defaultTemplate = {
    namespace: liqoNamespace,
    name: fixedNames.defaultVkOptionsTemplate,
  };
  const reconciler = new OwnSliceReconciler({
    client,
    clusterID,
    events,
    slices,
    identities,
    virtualNodes,
    clusterKeys,
    whyMisplaced,
    peerOfNamespace: (name) => peerOf(namespaces.get({ name })),
    readCreateNode: () => templates.get(defaultTemplate)?.spec.createNode ?? true,
  });
  const all = () => slices.list().map(keyOf);
  return loop.run({
    name: 'own-slices',
    sources: [
      primary(slices),
      mapped(identities, sliceOf),
      mapped(virtualNodes, sliceOf),
      mapped(namespaces, all),
      mapped(keysSecret, all),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

/** The cluster that a tenant namespace is about. */
function peerOf(namespace: KubeObject | undefined): string | undefined {
  const { [labels.tenantNamespace]: mark, [labels.remoteClusterID]: peer } =
    namespace?.metadata?.labels ?? {};
  return mark === 'true' ? peer : undefined;
}

function sliceOf({ metadata }: KubeObject): readonly ObjectKey[] {
  const name = metadata?.labels?.[labels.resourceSliceName];
  return name === undefined ? [] : [{ namespace: metadata?.namespace, name }];
}
