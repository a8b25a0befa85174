import { labels, Quota, Tenant } from '@liqo/api';
import { type Client, Namespace, type Stored } from '@liqo/kube';
import type { QuotaFacts } from '@liqo/model';
import type { Informer } from '@liqo/runtime';

export interface ConsumerFactsParts {
  readonly client: Client;
  /** Those with the label of a consumer. */
  readonly namespaces: Informer<Namespace>;
  readonly quotas: Informer<Quota>;
  readonly tenants: Informer<Tenant>;
}

type Granted = Pick<QuotaFacts, 'isPeered' | 'quotas'>;

/** What this cluster, as a provider, knows of its consumers. */
export class ConsumerFacts {
  readonly #parts: ConsumerFactsParts;

  constructor(parts: ConsumerFactsParts) {
    this.#parts = parts;
  }

  /** The cluster ID of the consumer that a namespace was made for. */
  async of(namespace: string, signal: AbortSignal): Promise<string | undefined> {
    const { client, namespaces } = this.#parts;
    const key = { name: namespace };
    const found = namespaces.get(key) ?? (await client.get(Namespace, key, signal));
    return found?.metadata.labels?.[labels.remoteClusterID];
  }

  cached(consumer: string): Granted {
    const { namespaces, quotas, tenants } = this.#parts;
    const names = tenantNamespaces(namespaces.list(), consumer);
    return {
      quotas: names.flatMap((name) => quotas.list(name)),
      isPeered: names.some((name) => tenants.count(name) > 0),
    };
  }

  async live(consumer: string, signal: AbortSignal): Promise<Granted> {
    const { client } = this.#parts;
    const labelSelector = `${labels.remoteClusterID}=${consumer},${labels.tenantNamespace}=true`;
    const { items } = await client.list(Namespace, { labelSelector, signal });
    const read = async ({ name: namespace }: { readonly name: string }) => ({
      quotas: (await client.list(Quota, { namespace, signal })).items,
      tenants: (await client.list(Tenant, { namespace, signal })).items,
    });
    const all = await Promise.all(items.map(({ metadata }) => read(metadata)));
    return {
      quotas: all.flatMap(({ quotas }) => quotas),
      isPeered: all.some(({ tenants }) => tenants.length > 0),
    };
  }
}

function tenantNamespaces(all: readonly Stored<Namespace>[], consumer: string): readonly string[] {
  return all.flatMap(({ metadata: { name, labels: given = {} } }) =>
    given[labels.remoteClusterID] === consumer && given[labels.tenantNamespace] === 'true'
      ? [name]
      : [],
  );
}
