import type { Link, RealCluster } from '@liqo/testkit/real-cluster';

interface LinkedPair {
  readonly ends: readonly [RealCluster, RealCluster];
  readonly link: Link;
}

/** The ways between clusters, found by their ends. */
export class Links {
  readonly #pairs: LinkedPair[] = [];

  add(a: RealCluster, b: RealCluster, link: Link): void {
    this.#pairs.push({ ends: [a, b], link });
  }

  between(a: RealCluster, b: RealCluster): Link {
    const found = this.#pairs.find(({ ends }) => ends.includes(a) && ends.includes(b));
    if (found) return found.link;
    throw new Error(
      `Cannot find the link between clusters "${a.name}" and "${b.name}": they were not connected`,
    );
  }
}
