import type { CallWebhook } from '@liqo/minicluster';

/** What answers reviews: the path with its query, and the body. */
interface Reviewer {
  answer(target: string, body: string): Promise<{ readonly status: number; readonly body: string }>;
}

interface Replica {
  readonly reviewer: Reviewer;
  readonly isUp: () => boolean;
}

/** The Service of the webhooks of a simulated cluster: a process that died is not reached. */
export class WebhookSite {
  #replica: Replica | undefined;

  /** From now on the reviewer answers, for as long as its process lives. */
  open(replica: Replica): Disposable {
    this.#replica = replica;
    return {
      [Symbol.dispose]: () => {
        if (this.#replica === replica) this.#replica = undefined;
      },
    };
  }

  readonly call: CallWebhook = async ({ pathname, search, hostname }, body) => {
    const replica = this.#replica;
    if (!replica?.isUp()) throw new Error(`connect ECONNREFUSED ${hostname}`);
    const { status, body: text } = await replica.reviewer.answer(pathname + search, body);
    return { status, text };
  };
}
