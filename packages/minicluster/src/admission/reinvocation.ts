import { deepEqual, type KubeObject } from '@liqo/kube';

/**
 * What one write needs to remember about its mutating webhooks, so that those who ask for it (`reinvocationPolicy:
 * IfNeeded`) see the object again after somebody else changed it. There is a second round at most, and nobody is called
 * in it for the first time.
 */
export class Reinvocation {
  #isSecondRound = false;
  #isWanted = false;
  #lastOutput: KubeObject | undefined;
  /** Called already, and to be called again if the object changes after that. */
  readonly #waiting = new Set<string>();
  readonly #due = new Set<string>();

  /** Whether there is one. */
  beginSecondRound(): boolean {
    this.#isSecondRound = this.#isWanted;
    return this.#isWanted;
  }

  /** Before the webhooks of a round: other plugins may have changed what they gave. */
  beginWebhooks(object: KubeObject | undefined): void {
    if (this.#isSecondRound && !deepEqual(object, this.#lastOutput)) this.#wakeWaiting();
  }

  endWebhooks(object: KubeObject | undefined): void {
    this.#lastOutput = object;
  }

  mayCall(webhook: string): boolean {
    return !this.#isSecondRound || this.#due.has(webhook);
  }

  noteChange(): void {
    this.#wakeWaiting();
    this.#isWanted = true;
  }

  /** After the webhook was called, and its own change was noted: it need not see that again. */
  noteReinvocable(webhook: string): void {
    this.#waiting.add(webhook);
  }

  #wakeWaiting(): void {
    for (const webhook of this.#waiting) this.#due.add(webhook);
    this.#waiting.clear();
  }
}
