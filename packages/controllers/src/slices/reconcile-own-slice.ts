import { finalizers, Identity, labels, ResourceSlice, VirtualNode } from '@liqo/api';
import {
  type Client,
  deepEqual,
  type Json,
  mergePatch,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import {
  authenticationOf,
  followGrant,
  forgeSliceIdentity,
  forgeSliceVirtualNode,
  sliceSubject,
  wantsVirtualNode,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  ensureFinalizer,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
} from '@liqo/runtime';
import type { ClusterKeys } from '../authentication/cluster-keys.ts';
import type { ClusterKeysReader } from '../authentication/cluster-keys-reader.ts';
import { removeIfThere } from '../remove-if-there.ts';
import type { WhyMisplaced } from '../tenancy.ts';
import { type Ensured, ensureOfSlice } from './ensure-of-slice.ts';
import { isOfSlice, takeDownSlice } from './take-down-slice.ts';

export interface OwnSliceContext {
  readonly client: Client;
  readonly clusterID: string;
  readonly events: EventRecorder;
  readonly slices: CachedReader<ResourceSlice>;
  readonly identities: CachedReader<Identity>;
  readonly virtualNodes: CachedReader<VirtualNode>;
  readonly clusterKeys: Pick<ClusterKeysReader, 'keys' | 'whyMissing'>;
  readonly whyMisplaced: WhyMisplaced;
  /** The cluster that a tenant namespace is about; undefined for another namespace. */
  readonly peerOfNamespace: (namespace: string) => string | undefined;
  /** Whether virtual nodes make Nodes unless they say otherwise. */
  readonly readCreateNode: () => boolean;
}

type Slice = Stored<ResourceSlice>;

const lookAgainMs = 5_000;

/** Takes a slice of this cluster from the request to the virtual node. What it makes goes with the slice. */
export class OwnSliceReconciler {
  readonly #context: OwnSliceContext;

  constructor(context: OwnSliceContext) {
    this.#context = context;
  }

  async reconcile(key: ObjectKey, { signal }: ReconcileContext): Promise<Outcome> {
    const { client, slices, clusterKeys, whyMisplaced } = this.#context;
    const slice = slices.get(key);
    if (!slice || slice.metadata.labels?.[labels.replication] === 'false') return done;
    if (slice.metadata.deletionTimestamp !== undefined) return takeDownSlice(client, slice, signal);
    const provider = this.#providerOf(slice);
    const misplaced = whyMisplaced(slice.metadata.namespace ?? '', provider);
    if (misplaced !== undefined) return this.#complain(slice, 'NotInTenantNamespace', misplaced);
    const { keys } = clusterKeys;
    if (!keys) return requeueAfter(lookAgainMs, clusterKeys.whyMissing() ?? 'waiting for the keys');
    if (await this.#complete(slice, provider, keys, signal)) return done;
    return this.#use(slice, signal);
  }

  /** A slice that names no provider is for the one that its namespace is about. */
  #providerOf({ metadata, spec }: Slice): string {
    const { peerOfNamespace } = this.#context;
    const named = metadata.labels?.[labels.replicationDestination] || spec?.providerClusterID;
    return named || (peerOfNamespace(metadata.namespace ?? '') ?? '');
  }

  /** Fills in what the provider needs to get and authenticate the slice. Whether it was written: its event leads here again. */
  async #complete(
    slice: Slice,
    provider: string,
    keys: ClusterKeys,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { client, clusterID } = this.#context;
    const { name, namespace, resourceVersion } = slice.metadata;
    const marks = {
      [labels.replication]: 'true',
      [labels.replicationDestination]: provider,
      [labels.remoteClusterID]: slice.metadata.labels?.[labels.remoteClusterID] ?? provider,
    };
    const spec = {
      consumerClusterID: slice.spec?.consumerClusterID ?? clusterID,
      providerClusterID: slice.spec?.providerClusterID ?? provider,
      csr: await requestFor(name, clusterID, keys),
    };
    const isComplete =
      deepEqual({ ...slice.metadata.labels, ...marks }, slice.metadata.labels) &&
      deepEqual({ ...slice.spec, ...spec }, slice.spec);
    if (isComplete) return false;
    const change = { metadata: { resourceVersion, labels: marks }, spec } as unknown as Json;
    await client.patch(ResourceSlice, { namespace, name }, mergePatch(change), { signal });
    return true;
  }

  async #use(slice: Slice, signal: AbortSignal): Promise<Outcome> {
    const { client, identities: objects } = this.#context;
    if (authenticationOf(slice) === 'Denied') return this.#withdraw(slice, signal);
    const identity = forgeSliceIdentity(slice);
    if (!identity) return done;
    const access = { client, kind: Identity, objects, signal };
    const made = await ensureOfSlice(identity, access);
    if (made !== 'made') return this.#wait(slice, Identity.kind, made);
    return this.#lend(slice, signal);
  }

  /** A virtual node that was made follows the grant, also when no other would be made. */
  async #lend(found: Slice, signal: AbortSignal): Promise<Outcome> {
    const { client, virtualNodes: objects, readCreateNode } = this.#context;
    const existing = objects.get(found.metadata);
    const isMade = existing !== undefined && isOfSlice(existing, found);
    if (!isMade && !wantsVirtualNode(found)) return done;
    const virtualNode = forgeSliceVirtualNode(found, readCreateNode());
    if (!virtualNode) return done;
    const slice = await ensureFinalizer(client, ResourceSlice, found, finalizers.ownSlice, signal);
    if (!slice) return done;
    const access = { client, kind: VirtualNode, objects, follow: followGrant, signal };
    const made = await ensureOfSlice(virtualNode, access);
    return made === 'made' ? done : this.#wait(slice, VirtualNode.kind, made);
  }

  /** The credentials of a slice that is denied are of no use any more. */
  async #withdraw(slice: Slice, signal: AbortSignal): Promise<Outcome> {
    const { client, identities } = this.#context;
    const all = identities.list(slice.metadata.namespace);
    for (const identity of all.filter((one) => isOfSlice(one, slice))) {
      await removeIfThere(client, Identity, identity, { signal });
    }
    return done;
  }

  #wait(slice: Slice, kind: string, ensured: Exclude<Ensured, 'made'>): Outcome {
    if (ensured === 'going') {
      return requeueAfter(lookAgainMs, `waiting for the ${kind} of an earlier slice to go`);
    }
    const note = `a ${kind} of the name exists and was not made for this slice: delete it, or name the slice differently`;
    this.#complain(slice, 'NameTaken', note);
    return requeueAfter(12 * lookAgainMs, note);
  }

  #complain(regarding: Slice, reason: string, note: string): Outcome {
    this.#context.events.record({
      regarding,
      type: 'Warning',
      reason,
      action: 'Reconciling',
      note: `Not used: ${note}`,
    });
    return done;
  }
}

/** The same bytes each time: a provider that runs Liqo refuses a request that has changed. */
async function requestFor(slice: string, clusterID: string, keys: ClusterKeys): Promise<string> {
  // Loaded when it is needed: it takes its time.
  const { forgeCertificateRequest } = await import('@liqo/kube/x509');
  const subject = sliceSubject(slice, clusterID);
  return Buffer.from(forgeCertificateRequest({ subject, key: keys.privateKey })).toString('base64');
}
