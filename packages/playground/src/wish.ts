/** Which clusters, peers and apps somebody wants to have. */
export interface Wish {
  readonly consumer: string;
  readonly providers: readonly string[];
  /** Of the consumer, each made of one of its providers. */
  readonly virtualNodes?: readonly WantedNode[];
  /** Namespaces of the consumer that extend to all of its virtual nodes. */
  readonly offloaded?: readonly string[];
  readonly apps?: readonly WantedApp[];
}

export interface WantedNode {
  readonly name: string;
  readonly provider: string;
}

/** A Deployment whose pods run on virtual nodes only. */
export interface WantedApp {
  readonly name: string;
  readonly namespace: string;
  readonly replicas: number;
}
