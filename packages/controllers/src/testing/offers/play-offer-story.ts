import { Advertisement, VirtualNode, virtualKubeletName } from '@liqo/api';
import { Deployment, isNotFound, Node } from '@liqo/kube';
import { CrashPoint, isWrite, noFaults } from '@liqo/testkit/faults';
import type { OfferedSpec, OfferStep } from './generate-offer-story.ts';
import { type OfferWorld, offerKeyOf, validFrom, virtualNodeKeyOf } from './offer-world.ts';

/** Nothing is written for this long when everything has come to rest: longer than whatever waits looks again. */
const quietMs = 12_000;
/** A drain that no virtual kubelet serves takes its time. */
const limitMs = 10 * 60_000;
/** A process that died is started again this much later. */
const restartMs = 500;

/** Takes the steps of a story in a world, and brings it to rest where the story says so. */
export class OfferStory {
  readonly #world: OfferWorld;
  #crash: CrashPoint | undefined;

  constructor(world: OfferWorld) {
    this.#world = world;
  }

  /** Every step has an end before the next one, but for what it takes time to do. */
  async take(step: OfferStep): Promise<void> {
    await this.#perform(step).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
    await this.#world.pass(1);
    await this.#startAgain();
  }

  async #perform(step: OfferStep): Promise<unknown> {
    const world = this.#world;
    switch (step.type) {
      case 'offer':
        return this.#offer(step.provider, step.spec);
      case 'refresh':
        return world.patchOffer(step.provider, { spec: this.#refreshed({ cpu: step.cpu }) });
      case 'spoil':
        return world.patchOffer(step.provider, { spec: this.#refreshed({ 'no name!': '1' }) });
      case 'withdraw':
        return world.patchOffer(step.provider, {
          spec: { withdrawalTimestamp: validFrom(world.clock.now()).timestamp },
        });
      case 'remove':
        return world.admin.delete(Advertisement, offerKeyOf(step.provider));
      case 'delete-virtual-node':
        return world.admin.delete(VirtualNode, virtualNodeKeyOf(step.provider));
      case 'delete-kubelet':
        return this.#deleteKubelet(step.provider);
      case 'delete-node':
        return world.admin.delete(Node, { name: virtualNodeKeyOf(step.provider).name });
      case 'silence':
        return world.silent.add(step.provider);
      case 'answer':
        return world.silent.delete(step.provider);
      case 'decide':
        return world.decide(step.provider, step.value);
      case 'configure': {
        const { ingoing, keepaliveThreshold } = step;
        return world.configure(ingoing, { keepaliveThreshold, keepaliveRetryTime: 30 });
      }
      case 'unconfigure':
        return world.unconfigure();
      case 'restart':
        await world.stopOperator();
        return world.startOperator();
      case 'kill':
        return world.killOperator();
      case 'crash':
        return this.#threaten(new CrashPoint({ at: step.at, when: step.when }));
      case 'pass':
        return this.#pass(step.ms);
      case 'rest':
        return this.#rest();
    }
  }

  async #offer(provider: string, { consumerClusterID, validMs }: OfferedSpec): Promise<void> {
    const { clock } = this.#world;
    if (await this.#world.found(provider)) return;
    await this.#world.lend(provider);
    await this.#world.publish(provider, {
      consumerClusterID,
      ...validFrom(clock.now(), validMs),
    });
  }

  #refreshed(hard: Readonly<Record<string, string>>): object {
    return { ...validFrom(this.#world.clock.now()), resourceQuota: { hard } };
  }

  #deleteKubelet(provider: string): Promise<unknown> {
    const { namespace, name } = virtualNodeKeyOf(provider);
    return this.#world.admin.delete(Deployment, { namespace, name: virtualKubeletName(name) });
  }

  #threaten(crash: CrashPoint): void {
    this.#crash = crash;
    this.#world.faults.plan = crash.plan;
  }

  /** Not in one piece: a process that dies is started again. */
  async #pass(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= 2_000) {
      await this.#world.pass(Math.min(leftMs, 2_000));
      await this.#startAgain();
    }
  }

  async #startAgain(): Promise<void> {
    const hasCrashed = this.#crash?.hasHappened ?? false;
    if (hasCrashed) this.#world.killOperator();
    if (this.#world.isRunning) return;
    this.#crash = undefined;
    await this.#world.pass(restartMs);
    this.#world.startOperator();
  }

  /** No more deaths; whatever is going on comes to its end. */
  async #rest(): Promise<void> {
    const world = this.#world;
    await this.#startAgain();
    this.#crash = undefined;
    world.faults.plan = noFaults;
    const writes = () => world.faults.calls.filter(isWrite).length;
    let quietForMs = 0;
    for (let passedMs = 0; quietForMs < quietMs; passedMs += 3_000) {
      if (passedMs > limitMs) throw new Error('Cannot come to rest: it still writes');
      const before = writes();
      await world.pass(3_000);
      quietForMs = writes() === before ? quietForMs + 3_000 : 0;
    }
  }
}
