import { Identity, ResourceSlice, VirtualNode } from '@liqo/api';
import { type Client, type Json, mergePatch, type ObjectKey, type Stored } from '@liqo/kube';
import {
  authenticationOf,
  forgeSliceIdentity,
  forgeSliceVirtualNode,
  providerOfSlice,
  sliceSubject,
  wantsVirtualNode,
} from '@liqo/model';
import {
  type CachedReader,
  done,
  type EventRecorder,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
} from '@liqo/runtime';
import type { ClusterKeys } from '../authentication/cluster-keys.ts';
import type { ClusterKeysReader } from '../authentication/cluster-keys-reader.ts';
import { removeIfThere } from '../remove-if-there.ts';
import type { WhyMisplaced } from '../tenancy.ts';
import { type Ensured, ensureOfSlice } from './ensure-of-slice.ts';

export interface OwnSliceContext {
  readonly client: Client;
  readonly clusterID: string;
  readonly events: EventRecorder;
  readonly slices: CachedReader<ResourceSlice>;
  readonly identities: CachedReader<Identity>;
  readonly virtualNodes: CachedReader<VirtualNode>;
  readonly clusterKeys: Pick<ClusterKeysReader, 'keys' | 'whyMissing'>;
  readonly whyMisplaced: WhyMisplaced;
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
    const { slices, clusterKeys, whyMisplaced } = this.#context;
    const slice = slices.get(key);
    if (!slice || slice.metadata.deletionTimestamp !== undefined) return done;
    const misplaced = whyMisplaced(slice.metadata.namespace ?? '', providerOfSlice(slice));
    if (misplaced !== undefined) return this.#complain(slice, 'NotInTenantNamespace', misplaced);
    const { keys } = clusterKeys;
    if (!keys) return requeueAfter(lookAgainMs, clusterKeys.whyMissing() ?? 'waiting for the keys');
    if (await this.#complete(slice, keys, signal)) return done;
    return this.#use(slice, signal);
  }

  /** Fills in what the provider needs to authenticate the slice. Whether it was written: its event leads here again. */
  async #complete(slice: Slice, keys: ClusterKeys, signal: AbortSignal): Promise<boolean> {
    const { client, clusterID } = this.#context;
    const { name, namespace, resourceVersion } = slice.metadata;
    const wanted = {
      consumerClusterID: slice.spec?.consumerClusterID ?? clusterID,
      providerClusterID: slice.spec?.providerClusterID ?? providerOfSlice(slice),
      csr: await requestFor(name, clusterID, keys),
    };
    const { consumerClusterID, providerClusterID, csr } = slice.spec ?? {};
    const isComplete =
      consumerClusterID === wanted.consumerClusterID &&
      providerClusterID === wanted.providerClusterID &&
      csr === wanted.csr;
    if (isComplete) return false;
    const patch = mergePatch({ metadata: { resourceVersion }, spec: wanted } as unknown as Json);
    await client.patch(ResourceSlice, { namespace, name }, patch, { signal });
    return true;
  }

  async #use(slice: Slice, signal: AbortSignal): Promise<Outcome> {
    const { client, identities, virtualNodes } = this.#context;
    if (authenticationOf(slice) === 'Denied') return this.#withdraw(slice, signal);
    const identity = forgeSliceIdentity(slice);
    if (!identity) return done;
    const made = await ensureOfSlice(identity, {
      client,
      kind: Identity,
      objects: identities,
      signal,
    });
    if (made !== 'made') return this.#wait(slice, Identity.kind, made);
    const virtualNode = wantsVirtualNode(slice) ? forgeSliceVirtualNode(slice) : undefined;
    if (!virtualNode) return done;
    const objects = virtualNodes;
    const node = await ensureOfSlice(virtualNode, { client, kind: VirtualNode, objects, signal });
    return node === 'made' ? done : this.#wait(slice, VirtualNode.kind, node);
  }

  /** The credentials of a slice that is denied are of no use any more. */
  async #withdraw(slice: Slice, signal: AbortSignal): Promise<Outcome> {
    const { client, identities } = this.#context;
    const { namespace = '', uid } = slice.metadata;
    const owned = identities
      .list(namespace)
      .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
    for (const identity of owned) await removeIfThere(client, Identity, identity, { signal });
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
