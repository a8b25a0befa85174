/** Which clusters, peers and apps somebody wants to have. */
export interface Wish {
  readonly consumer: string;
  readonly providers: readonly string[];
  /** The clusters alone, and the ways between them: nothing is installed, and nobody knows anybody. */
  readonly bare?: boolean;
  /** Liqo is installed in the clusters, and none of them is a peer of another. */
  readonly unpeered?: boolean;
  /** The consumer gets Secrets with credentials that no provider has granted, in place of a peering. Nothing limits its pods. */
  readonly byHand?: boolean;
  /** Every provider offers the consumer a share of what is free, in place of being asked for slices. */
  readonly offers?: WantedOffers;
  /** Of the consumer, each made of one of its providers. */
  readonly virtualNodes?: readonly WantedNode[];
  /** Namespaces of the consumer that extend to all of its virtual nodes. */
  readonly offloaded?: readonly string[];
  readonly apps?: readonly WantedApp[];
}

interface WantedOffers {
  readonly percentage: number;
  /** How many of them the consumer accepts at a time. */
  readonly most: number;
}

export interface WantedNode {
  readonly name: string;
  readonly provider: string;
  /** The earlier virtual node whose slice it shares. Without it, it has a slice of its own name; not so by hand. */
  readonly sharing?: string;
  /** What it is told to have; enough for a small app if nothing is said. */
  readonly capacity?: Readonly<Record<string, string>>;
}

/** A Deployment whose pods run on virtual nodes only. */
export interface WantedApp {
  readonly name: string;
  readonly namespace: string;
  readonly replicas: number;
  /** It has a Service, a ConfigMap and a Secret of its name, and its pods have the values of the latter two in their environment. */
  readonly hasSettings?: boolean;
}
