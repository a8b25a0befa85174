import { NamespaceOffloading } from '@liqo/api';
import { type Client, type Clock, Pod } from '@liqo/kube';

interface Refusal {
  readonly atMs: number;
  readonly message: string;
}

/** Counts creations that webhooks are asked about, one by one, and remembers which were refused, and when. */
export class Creations {
  readonly refusals: Refusal[] = [];
  sent = 0;
  readonly #client: Client;
  readonly #clock: Clock;
  /** When the last one was accepted before each refusal, and the first after it. */
  readonly #acceptedMs: number[] = [];

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** A pod that is changed, and an object that is judged: each is asked about by another configuration. */
  async send(): Promise<void> {
    const dryRun = { dryRun: true };
    const spec = { containers: [{ name: 'web', image: 'nginx' }] };
    const podOffloadingStrategy = 'LocalAndRemote';
    const namespaceMappingStrategy = 'DefaultName';
    await Promise.all([
      this.#note(async () => {
        const metadata = { namespace: 'shop', name: `web-${this.sent}` };
        const pod = await this.#client.create(Pod, { metadata, spec }, dryRun);
        const keys = pod.spec?.tolerations?.map(({ key }) => key);
        if (!keys?.includes('virtual-node.liqo.io/not-allowed')) throw new Error('unchanged');
      }),
      this.#note(() =>
        this.#client.create(
          NamespaceOffloading,
          {
            metadata: { namespace: 'market', name: 'offloading' },
            spec: { podOffloadingStrategy, namespaceMappingStrategy },
          },
          dryRun,
        ),
      ),
    ]);
  }

  /** The longest time for which creations were refused. */
  longestOutageMs(): number {
    const outages = this.refusals.map(({ atMs }) => {
      const before = this.#acceptedMs.findLast((acceptedMs) => acceptedMs <= atMs) ?? 0;
      const after = this.#acceptedMs.find((acceptedMs) => acceptedMs >= atMs);
      return (after ?? Number.POSITIVE_INFINITY) - before;
    });
    return Math.max(0, ...outages);
  }

  async #note(create: () => Promise<unknown>): Promise<void> {
    this.sent += 1;
    try {
      await create();
      this.#acceptedMs.push(this.#clock.monotonicMs());
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.refusals.push({ atMs: this.#clock.monotonicMs(), message });
    }
  }
}
