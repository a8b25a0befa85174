import { labels } from '@liqo/api';
import { keyString, type Node, type ObjectKey, PersistentVolume, type Stored } from '@liqo/kube';
import type { ClaimFacts } from '@liqo/model';
import { type Informer, SharedInformers, startInformer } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import { type RelatedCaches, relatedCaches } from './related-caches.ts';
import { onNodeChange, watchNodes } from './watch-nodes.ts';

interface ClaimChanges {
  /** Told of a claim whose volume has changed. */
  readonly onVolume: (claimName: string) => void;
  readonly onNodes: () => void;
}

/** What decides about claims besides the claims: the Nodes, and the volumes that stand for claims at the provider. */
export class ClaimRelations implements ClaimFacts {
  readonly #context: KubeletContext;
  readonly #shared: SharedInformers;
  #nodes: Informer<Node> | undefined;
  #volumes: Informer<PersistentVolume, 'claim'> | undefined;

  constructor(context: KubeletContext) {
    const { local: client, clock, random, log } = context;
    this.#context = context;
    this.#shared = new SharedInformers({ client, clock, random, log });
  }

  readonly nodeOf = (name: string): Stored<Node> | undefined => this.#nodes?.get({ name });

  readonly volumeOf = (name: string): Stored<PersistentVolume> | undefined =>
    this.#volumes?.get({ name });

  /** Reserved for a claim of that name. */
  volumesFor(claim: ObjectKey): readonly Stored<PersistentVolume>[] {
    return this.#volumes?.byIndex('claim', keyString(claim)) ?? [];
  }

  get volumes(): Informer<PersistentVolume, 'claim'> | undefined {
    return this.#volumes;
  }

  watch(namespace: string, { onVolume, onNodes }: ClaimChanges): RelatedCaches {
    const nodes = this.#shared.share('nodes', () => watchNodes(this.#context));
    const volumes = this.#shared.share('volumes', () => this.#startVolumes());
    this.#nodes = nodes.value;
    this.#volumes = volumes.value;
    const onChange = ({ spec }: Stored<PersistentVolume>) => {
      const { claimRef } = spec ?? {};
      if (claimRef?.namespace === namespace && claimRef.name) onVolume(claimRef.name);
    };
    const subscriptions = [
      onNodeChange(nodes.value, onNodes),
      volumes.value.subscribe({
        onAdd: onChange,
        onUpdate: (_, now) => onChange(now),
        onDelete: onChange,
      }),
    ];
    const caches = relatedCaches([nodes.value, volumes.value], () => {
      for (const subscription of subscriptions) subscription[Symbol.dispose]();
      return Promise.all([nodes[Symbol.asyncDispose](), volumes[Symbol.asyncDispose]()]);
    });
    const claimed = () =>
      volumes.value.list().flatMap(({ spec: { claimRef } = {} }) => {
        return claimRef?.namespace === namespace && claimRef.name ? [claimRef.name] : [];
      });
    return Object.assign(caches, { names: claimed });
  }

  #startVolumes(): Informer<PersistentVolume, 'claim'> {
    const { local: client, clock, random, log, providerClusterID } = this.#context;
    return startInformer<PersistentVolume, 'claim'>({
      client,
      clock,
      random,
      log,
      kind: PersistentVolume,
      selection: { labelSelector: `${labels.remoteClusterID}=${providerClusterID}` },
      indexes: {
        claim: ({ spec: { claimRef } = {} }) =>
          claimRef?.name
            ? [keyString({ namespace: claimRef.namespace ?? '', name: claimRef.name })]
            : [],
      },
    });
  }
}
