import {
  type InProcessAnswer,
  JsonContent,
  type KubeObject,
  type Stored,
  type TransportRequest,
} from '@liqo/kube';

/** An object that somebody made. */
export interface Creation {
  /** The path of its collection: `/api/v1/namespaces/shop/pods` */
  readonly collection: string;
  readonly object: Stored<KubeObject>;
}

const kubernetes = 'system:kube-controller-manager';

/** What happened to a cluster, by whomever. Signs of life and events are not worth a line. */
export class Journal {
  readonly creations: Creation[] = [];
  #asked = 0;
  #evicted = 0;

  /** How many changes were asked for, whatever became of them. */
  get asked(): number {
    return this.#asked;
  }

  /** How many pods Kubernetes itself has taken away: such as those of a node that is not ready, after five minutes. */
  get evicted(): number {
    return this.#evicted;
  }

  async follow(
    user: string,
    { method, path }: TransportRequest,
    answered: Promise<InProcessAnswer>,
  ): Promise<InProcessAnswer> {
    if (method === 'GET' || path.includes('/leases') || path.includes('/events')) return answered;
    this.#asked += 1;
    if (method === 'DELETE' && user === kubernetes && path.includes('/pods/')) this.#evicted += 1;
    const answer = await answered;
    if (method === 'POST' && answer.status === 201 && answer.body instanceof JsonContent) {
      const object = answer.body.value as Stored<KubeObject>;
      const [collection = ''] = path.split('?');
      if (object.metadata?.uid !== undefined) this.creations.push({ collection, object });
    }
    return answer;
  }
}
