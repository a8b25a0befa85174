import { ForeignCluster, labels, labelValues, ShadowEndpointSlice } from '@liqo/api';
import { EndpointSlice, keyOf, Namespace, Node, type Stored } from '@liqo/kube';
import { isPeerReachable, originOf, withAddressesOnly } from '@liqo/model';
import {
  external,
  inOrder,
  labelsChanged,
  mapped,
  primary,
  ServiceRanges,
  type Stoppable,
} from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ofPeers } from '../selections.ts';
import { tenantOf } from '../tenant-of.ts';
import { type EndpointRanges, OwnRanges } from './own-ranges.ts';
import { EndpointSliceReconciler } from './reconcile-endpoint-slice.ts';

export interface EndpointSliceControllerOptions {
  readonly endpointRanges?: EndpointRanges;
}

const noRanges: EndpointRanges = { denied: [], allowed: [] };

/** At a provider: makes the EndpointSlices of consumers, whose Services then lead to pods of other clusters. */
export function startShadowEndpointSliceController(
  context: ControllerContext,
  { endpointRanges = noRanges }: EndpointSliceControllerOptions = {},
): Stoppable {
  const loop = new ControlLoop(context);
  const shadows = loop.watch(ShadowEndpointSlice);
  const slices = loop.watch(EndpointSlice, {
    labelSelector: `${labels.managedBy}=${labelValues.managedByShadowEndpointSlice}`,
  });
  const namespaces = loop.watch(Namespace, ofPeers);
  const foreignClusters = loop.watch(ForeignCluster);
  const nodes = loop.watchAlone(Node, {
    selection: { labelSelector: `${labels.type}!=${labelValues.virtualNode}` },
    transform: withAddressesOnly,
  });
  const { client, events } = context;
  const onChange = () => ranges.lookAgain();
  const services = new ServiceRanges({ ...context, onChange });
  const ranges = new OwnRanges({ ...endpointRanges, nodes, services });
  const nudges = external();
  ranges.subscribe(() => {
    for (const shadow of shadows.list()) nudges.enqueue(keyOf(shadow));
  });
  const reconciler = new EndpointSliceReconciler({
    client,
    events,
    shadows,
    slices,
    namespaces,
    foreignClusters,
    ranges,
  });
  const isFrom = (name: string) => (shadow: Stored<ShadowEndpointSlice>) =>
    originOf(shadow) === name;
  loop.run({
    name: 'shadowendpointslice',
    concurrency: 10,
    // However many endpoints one consumer has, workers are left for the others.
    concurrencyPerFlow: 8,
    flowOf: tenantOf(namespaces),
    caches: [services],
    sources: [
      primary(shadows),
      mapped(slices, (slice) => [keyOf(slice)]),
      mapped(namespaces, ({ metadata }) => shadows.list(metadata.name).map(keyOf), labelsChanged),
      mapped(
        foreignClusters,
        ({ metadata }) => shadows.list().filter(isFrom(metadata.name)).map(keyOf),
        (before, after) => isPeerReachable(before) !== isPeerReachable(after),
      ),
      nudges,
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
  return inOrder([loop, services]);
}
