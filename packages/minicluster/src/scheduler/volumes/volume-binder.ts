import {
  type Clock,
  keyOf,
  type Node,
  PersistentVolume,
  PersistentVolumeClaim,
  type Pod,
  StorageClass,
  type Stored,
} from '@liqo/kube';
import { Informer, type InformerOptions } from '../../controllers/informer.ts';
import { withClaim } from '../../controllers/volume-binding/bind-steps.ts';
import { isFullyBound, isUsableOn, selectedNode } from '../../volumes/claim-binding.ts';
import { claimsOf, planVolumes, type VolumeBinding } from './plan-volumes.ts';
import type { VolumeSnapshot } from './volume-snapshot.ts';

interface VolumeBinderParts {
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What has to happen to the volumes of a pod before it gets its node. */
export interface PodVolumes {
  readonly node: Stored<Node>;
  readonly bindings: readonly VolumeBinding[];
  readonly provisions: readonly Stored<PersistentVolumeClaim>[];
}

/** How long a pod waits for its volumes before another node is looked for. */
const longestWaitMs = 600_000;

/** The volumes of the cluster, and the steps between the choice of a node and the binding of a pod that has claims. */
export class VolumeBinder implements VolumeSnapshot {
  readonly #parts: VolumeBinderParts;
  /** Names of volumes that are promised to a pod. */
  readonly #promised = new Set<string>();
  readonly #listeners = new Set<() => void>();

  /** Resolves when it knows the volumes of the cluster. */
  static async start(options: InformerOptions & { readonly signal: AbortSignal }) {
    const claims = new Informer(PersistentVolumeClaim, options);
    const volumes = new Informer(PersistentVolume, options);
    const classes = new Informer(StorageClass, options);
    await Promise.all([claims.synced, volumes.synced, classes.synced]);
    return new VolumeBinder({ ...options, claims, volumes, classes });
  }

  private constructor(parts: VolumeBinderParts) {
    this.#parts = parts;
    const tell = () => {
      for (const listener of [...this.#listeners]) listener();
    };
    parts.claims.onChange(tell);
    parts.volumes.onChange(tell);
  }

  get informers(): readonly AsyncDisposable[] {
    const { claims, volumes, classes } = this.#parts;
    return [claims, volumes, classes];
  }

  claim(namespace: string | undefined, name: string): Stored<PersistentVolumeClaim> | undefined {
    return this.#parts.claims.get({ ...(namespace !== undefined && { namespace }), name });
  }

  volume(name: string): Stored<PersistentVolume> | undefined {
    return this.#parts.volumes.get({ name });
  }

  storageClass(name: string): Stored<StorageClass> | undefined {
    return this.#parts.classes.get({ name });
  }

  get freeVolumes(): readonly Stored<PersistentVolume>[] {
    return this.#parts.volumes.all().filter(({ metadata }) => !this.#promised.has(metadata.name));
  }

  /** Of a node that was just chosen. Undefined for a pod whose volumes need nothing. */
  reserve(pod: Stored<Pod>, node: Stored<Node>): PodVolumes | undefined {
    const claims = claimsOf(pod, this);
    if (claims.type === 'refused' || claims.late.length === 0) return undefined;
    const plan = planVolumes(claims, node, this);
    if (plan.type === 'rejected') return undefined;
    const { bindings, provisions } = plan;
    for (const { volume } of bindings) this.#promised.add(volume.metadata.name);
    return { node, bindings, provisions };
  }

  /** Resolves when every claim is bound to a volume that the node can use; rejects when that is not to be. */
  async prepare(volumes: PodVolumes, isWanted: () => boolean): Promise<void> {
    try {
      for (const binding of volumes.bindings) await this.#claimVolume(binding);
      for (const claim of volumes.provisions) await this.#chooseNode(claim, volumes.node);
      await this.#untilBound(volumes, isWanted);
    } finally {
      for (const { volume } of volumes.bindings) this.#promised.delete(volume.metadata.name);
    }
  }

  async #claimVolume({ claim, volume }: VolumeBinding): Promise<void> {
    const claimed = withClaim(volume, claim);
    if (claimed !== volume) await this.#parts.volumes.update(claimed);
  }

  async #chooseNode(claim: Stored<PersistentVolumeClaim>, node: Stored<Node>): Promise<void> {
    const { metadata } = claim;
    if (metadata.annotations?.[selectedNode] === node.metadata.name) return;
    const annotations = { ...metadata.annotations, [selectedNode]: node.metadata.name };
    await this.#parts.claims.update({ ...claim, metadata: { ...metadata, annotations } });
  }

  async #untilBound(volumes: PodVolumes, isWanted: () => boolean): Promise<void> {
    const { clock, signal } = this.#parts;
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        const state = signal.aborted || !isWanted() ? 'over' : this.#stateOf(volumes);
        if (state === 'waiting') return;
        end();
        if (state === 'bound') resolve();
        else reject(new Error('The volumes of the pod cannot be bound for this node'));
      };
      const fail = () => {
        end();
        reject(new Error('The volumes of the pod were not bound in time'));
      };
      const timer = clock.after(longestWaitMs, fail);
      const end = () => {
        timer.cancel();
        this.#listeners.delete(look);
        signal.removeEventListener('abort', look);
      };
      this.#listeners.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  }

  /** A provisioner that cannot make a volume for the node takes the choice of the node back. */
  #stateOf({ node, bindings, provisions }: PodVolumes): 'bound' | 'over' | 'waiting' {
    const claims = [...bindings.map(({ claim }) => claim), ...provisions].map((claim) =>
      this.#parts.claims.get(keyOf(claim)),
    );
    const isRejected = provisions.some(
      (claim) =>
        this.#parts.claims.get(keyOf(claim))?.metadata.annotations?.[selectedNode] !==
        node.metadata.name,
    );
    if (isRejected || claims.includes(undefined)) return 'over';
    if (!claims.every((claim) => claim && isFullyBound(claim))) return 'waiting';
    const volumes = claims.map((claim) => this.volume(claim?.spec?.volumeName ?? ''));
    if (volumes.includes(undefined)) return 'waiting';
    return volumes.every((volume) => volume && isUsableOn(volume, node)) ? 'bound' : 'over';
  }

  /** Told of every change of a claim, a volume or a class. */
  subscribe(listener: () => void): void {
    const { claims, volumes, classes } = this.#parts;
    claims.onChange(listener);
    volumes.onChange(listener);
    classes.onChange(listener);
  }
}
