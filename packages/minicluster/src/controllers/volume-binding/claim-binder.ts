import {
  deepEqual,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
  type Stored,
} from '@liqo/kube';
import { storageClassOf } from '../../resources/storage/access-modes.ts';
import {
  bindsLate,
  hasNote,
  isFullyBound,
  isReservedFor,
  noProvisioner,
  selectedNode,
} from '../../volumes/claim-binding.ts';
import { findVolume } from '../../volumes/find-volume.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import type { Informer } from '../informer.ts';
import { boundStatus, withClaim, withVolume } from './bind-steps.ts';

type Claim = Stored<PersistentVolumeClaim>;
type Volume = Stored<PersistentVolume>;

export interface ClaimBinderOptions {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly events: ControllerEvents;
}

/** On a claim: who is to provision its volume. The second one is for old provisioners. */
const provisionerNotes = [
  'volume.kubernetes.io/storage-provisioner',
  'volume.beta.kubernetes.io/storage-provisioner',
];

/** Gives a claim its volume, or says what it waits for. */
export class ClaimBinder {
  readonly #options: ClaimBinderOptions;

  constructor(options: ClaimBinderOptions) {
    this.#options = options;
  }

  async reconcile(claim: Claim): Promise<void> {
    const { volumeName } = claim.spec ?? {};
    if (!volumeName) return this.#search(claim);
    const volume = this.#options.volumes.get({ name: volumeName });
    if (volume && (!volume.spec?.claimRef || isReservedFor(volume, claim))) {
      return this.#bind(claim, volume);
    }
    if (!isFullyBound(claim)) return;
    if (volume) {
      const fact = 'Two claims are bound to the same volume, this one is bound incorrectly';
      return this.#lose(claim, 'ClaimMisbound', fact);
    }
    const fact = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!';
    return this.#lose(claim, 'ClaimLost', fact);
  }

  async #search(claim: Claim): Promise<void> {
    const { volumes, events } = this.#options;
    const isLate = bindsLate(claim, this.#findClass);
    const volume = findVolume(claim, { volumes: volumes.all(), onlyReserved: isLate });
    if (volume) return this.#bind(claim, volume);
    if (isLate && !hasNote(claim, selectedNode)) {
      const note = 'waiting for first consumer to be created before binding';
      events.normal(claim, 'WaitForFirstConsumer', note);
      return;
    }
    if (storageClassOf(claim) !== '') return this.#askProvisioner(claim);
    const note = 'no persistent volumes available for this claim and no storage class is set';
    events.normal(claim, 'FailedBinding', note);
  }

  async #askProvisioner(claim: Claim): Promise<void> {
    const { claims, events } = this.#options;
    const name = storageClassOf(claim);
    const storageClass = this.#findClass(name);
    if (!storageClass) {
      const note = `storageclass.storage.k8s.io "${name}" not found`;
      events.warning(claim, 'ProvisioningFailed', note);
      return;
    }
    const { provisioner } = storageClass;
    if (provisioner === noProvisioner) return;
    const notes = Object.fromEntries(provisionerNotes.map((key) => [key, provisioner]));
    const annotations = { ...claim.metadata.annotations, ...notes };
    const asked = { ...claim, metadata: { ...claim.metadata, annotations } };
    if (!deepEqual(asked, claim)) await claims.update(asked);
    const note =
      `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system ` +
      'administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.';
    events.normal(claim, 'ExternalProvisioning', note);
  }

  /** Every step can be the last one before a crash: the next time the others follow. */
  async #bind(claim: Claim, volume: Volume): Promise<void> {
    const { claims, volumes } = this.#options;
    const taken = withClaim(volume, claim);
    const kept = taken === volume ? volume : await volumes.update(taken);
    if (kept.status?.phase !== 'Bound') {
      await volumes.updateStatus({ ...kept, status: { ...kept.status, phase: 'Bound' } });
    }
    const given = withVolume(claim, volume);
    const bound = given === claim ? claim : await claims.update(given);
    const status = boundStatus(volume);
    if (!deepEqual(bound.status, status))
      await claims.updateStatus({ ...bound, ...(status && { status }) });
  }

  async #lose(claim: Claim, reason: string, message: string): Promise<void> {
    if (claim.status?.phase === 'Lost') return;
    await this.#options.claims.updateStatus({ ...claim, status: { phase: 'Lost' } });
    this.#options.events.warning(claim, reason, message);
  }

  readonly #findClass = (name: string): Stored<StorageClass> | undefined =>
    this.#options.classes.get({ name });
}
