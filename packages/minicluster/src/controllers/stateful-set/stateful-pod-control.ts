import {
  isAlreadyExists,
  type Json,
  keyOf,
  mergePatch,
  PersistentVolumeClaim,
  Pod,
  type StatefulSet,
  type Stored,
} from '@liqo/kube';
import type { ControllerContext } from '../controller-context.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import type { Informer } from '../informer.ts';
import { joinFailures } from '../join-failures.ts';
import { messageOf } from '../message-of.ts';
import { isLeftBehind, isOverruled, planClaimOwners } from './claim-owners.ts';

/** Makes the pods of a StatefulSet, their claims first, and removes pods; and says so in events of the set. */
export class StatefulPodControl {
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #events: ControllerEvents;

  constructor(context: ControllerContext) {
    this.#pods = context.informer(Pod);
    this.#claims = context.informer(PersistentVolumeClaim);
    this.#events = context.events('statefulset-controller');
  }

  /** Does nothing while a claim is still to go with an earlier pod of the same name. */
  async create(
    set: Stored<StatefulSet>,
    pod: Pod,
    claims: readonly PersistentVolumeClaim[],
  ): Promise<void> {
    const name = pod.metadata?.name ?? '';
    if (this.#find(claims).some((claim) => isLeftBehind(set, name, claim))) return;
    await this.#telling('Create', set, name, async () => {
      await this.#ensureClaims(set, name, claims);
      await this.#pods.create(pod);
    });
  }

  delete(set: Stored<StatefulSet>, pod: Stored<Pod>): Promise<void> {
    return this.#telling('Delete', set, pod.metadata.name, () => this.#pods.delete(pod));
  }

  /** Ties the claims of a pod to whom they shall go with. */
  async keepClaims(
    set: Stored<StatefulSet>,
    pod: Stored<Pod>,
    claims: readonly PersistentVolumeClaim[],
  ): Promise<void> {
    for (const claim of this.#find(claims)) {
      const ownerReferences = planClaimOwners(set, pod, claim);
      if (!ownerReferences) continue;
      if (isOverruled(set, pod, claim)) this.#tellConflict(set, claim);
      const { uid, resourceVersion } = claim.metadata;
      const change = { metadata: { uid, resourceVersion, ownerReferences } } as unknown as Json;
      await this.#claims.patch(keyOf(claim), mergePatch(change));
    }
  }

  #find(claims: readonly PersistentVolumeClaim[]): readonly Stored<PersistentVolumeClaim>[] {
    return claims.flatMap(({ metadata }) => {
      const { namespace, name = '' } = metadata ?? {};
      return this.#claims.get({ namespace, name }) ?? [];
    });
  }

  #tellConflict(set: Stored<StatefulSet>, { metadata }: Stored<PersistentVolumeClaim>): void {
    // The slip of the pen is in the original.
    const message = `PersistentVolumeClaim ${metadata.name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
    this.#events.warning(set, 'ConflictingController', message);
  }

  async #telling(
    verb: 'Create' | 'Delete',
    set: Stored<StatefulSet>,
    podName: string,
    act: () => Promise<unknown>,
  ): Promise<void> {
    const action = `${verb} Pod ${podName} in StatefulSet ${set.metadata.name}`;
    try {
      await act();
      this.#events.normal(set, `Successful${verb}`, `${action} successful`);
    } catch (error) {
      if (!isAlreadyExists(error)) {
        this.#events.warning(set, `Failed${verb}`, `${action} failed error: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  /** Tries them all; fails in the words of kube-controller-manager, which go into an event. */
  async #ensureClaims(
    set: Stored<StatefulSet>,
    podName: string,
    claims: readonly PersistentVolumeClaim[],
  ): Promise<void> {
    const failures: string[] = [];
    for (const claim of claims) {
      const failure = await this.#ensureClaim(set, podName, claim);
      if (failure) failures.push(failure);
    }
    const failed = joinFailures(failures);
    if (failed) throw new Error(failed);
  }

  async #ensureClaim(
    set: Stored<StatefulSet>,
    podName: string,
    claim: PersistentVolumeClaim,
  ): Promise<string | undefined> {
    const { namespace, name = '' } = claim.metadata ?? {};
    const existing = this.#claims.get({ namespace, name });
    if (existing?.metadata.deletionTimestamp) return `pvc ${name} is being deleted`;
    if (existing) return undefined;
    const { name: setName } = set.metadata;
    try {
      await this.#claims.create(claim);
      const message = `Create Claim ${name} Pod ${podName} in StatefulSet ${setName} success`;
      this.#events.normal(set, 'SuccessfulCreate', message);
      return undefined;
    } catch (error) {
      if (isAlreadyExists(error)) return undefined;
      const where = `Claim ${name} for Pod ${podName} in StatefulSet ${setName}`;
      const message = `Create ${where} failed error: ${messageOf(error)}`;
      this.#events.warning(set, 'FailedCreate', message);
      return `failed to create PVC ${name}: ${messageOf(error)}`;
    }
  }
}
