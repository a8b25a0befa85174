import type { Client } from '@liqo/kube';
import type { Access } from '../kubectl/run-kubectl.ts';

/** A cluster as its administrator uses it. */
export interface SeedCluster extends Access {
  readonly client: Client;
}

/** The clusters of the page: the consumer is `wispy-firefly`, the provider `cool-firefly`. */
export interface SeedStage extends AsyncDisposable {
  readonly consumer: SeedCluster;
  readonly provider: SeedCluster;
}

export const names = { consumer: 'wispy-firefly', provider: 'cool-firefly' } as const;

/** What the provider of the page lends besides its defaults, as the manifests of the page show it. */
export const lent = { nodeLabels: ['liqo.io/provider=kubeadm'] } as const;
