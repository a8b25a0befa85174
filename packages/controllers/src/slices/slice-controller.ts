import { ResourceSlice, remoteCertificateSecretName, Tenant } from '@liqo/api';
import {
  CertificateSigningRequest,
  type KubeObject,
  keyOf,
  Namespace,
  type ObjectKey,
  parseKey,
  StorageClass,
} from '@liqo/kube';
import {
  certificateSecretOf,
  type DefaultClass,
  defaultTenantLimits,
  nextSlice,
  type OfferedStorage,
  offerStorageClasses,
  type TenantLimits,
  tenantRequestSelector,
} from '@liqo/model';
import { type Informer, mapped, primary, type Source, type Stoppable } from '@liqo/runtime';
import { type ApiServerOptions, watchApiServer } from '../authentication/advertised-api-server.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { fromPeers, tenantNamespaces } from '../selections.ts';
import { tenancyOf } from '../tenancy.ts';
import { tenantOf } from '../tenant-of.ts';
import { SliceReconciler } from './reconcile-slice.ts';

export interface SliceOptions {
  readonly defaultClass: Omit<DefaultClass, 'storageClasses'>;
  /** Absent where no storage class is lent. */
  readonly storage?: OfferedStorage;
  readonly tenantLimits?: TenantLimits;
}

/** Authenticates the ResourceSlices of consumers, and decides those of the class `default`. */
export function startSliceController(
  context: ControllerContext,
  options: SliceOptions & { readonly apiServer: ApiServerOptions },
): Stoppable {
  const { defaultClass, storage, tenantLimits = defaultTenantLimits, apiServer } = options;
  const loop = new ControlLoop(context);
  const advertiser = watchApiServer(loop, context.liqoNamespace, apiServer);
  const slices = loop.watch(ResourceSlice, fromPeers);
  const tenants = loop.watch(Tenant);
  const namespaces = loop.watch(Namespace, tenantNamespaces);
  const requests = loop.watch(CertificateSigningRequest, { labelSelector: tenantRequestSelector });
  const storageClasses = storage && loop.watch(StorageClass);
  const reconciler = new SliceReconciler({
    ...context,
    slices,
    tenants,
    requests,
    apiServer: advertiser,
    mostSlices: tenantLimits.slices,
    whyMisplaced: tenancyOf(namespaces),
    readDefaultClass: () => ({
      ...defaultClass,
      ...(storage && offerStorageClasses(storageClasses?.list() ?? [], storage)),
    }),
  });
  const all = () => slices.list().map(keyOf);
  const besides = ({ metadata }: KubeObject) => slices.list(metadata?.namespace).map(keyOf);
  return loop.run({
    name: 'resourceslice',
    concurrency: 4,
    // However many slices one consumer has, workers are left for the others.
    concurrencyPerFlow: 2,
    flowOf: tenantOf(namespaces),
    sources: [
      primary(slices),
      whenOneGoes(slices, tenantLimits.slices),
      mapped(tenants, besides),
      mapped(namespaces, ({ metadata }) => slices.list(metadata.name).map(keyOf)),
      mapped(requests, (request) => sliceOf(parseKey(certificateSecretOf(request) ?? ''))),
      ...(storageClasses ? [mapped(storageClasses, all)] : []),
      ...advertiser.sources(all),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

/** A slice that goes leaves its place to one that was refused for want of a place. */
function whenOneGoes(slices: Informer<ResourceSlice>, mostSlices: number): Source {
  return {
    caches: [slices],
    start: (feed) =>
      slices.subscribe({
        onDelete({ metadata }) {
          const next = nextSlice(slices.list(metadata.namespace), mostSlices);
          if (next) feed.enqueue(keyOf(next));
        },
      }),
  };
}

/** The slice that a Secret keeps the certificate of. */
function sliceOf({ namespace, name }: ObjectKey): readonly ObjectKey[] {
  const prefix = remoteCertificateSecretName('');
  return name.startsWith(prefix) ? [{ namespace, name: name.slice(prefix.length) }] : [];
}
