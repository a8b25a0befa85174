import { randomBytes } from 'node:crypto';
import {
  isConflict,
  MutatingWebhookConfiguration,
  Secret,
  type Stored,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';
import {
  type Controller,
  done,
  external,
  type Informer,
  type InformerOptions,
  mapped,
  type Outcome,
  primary,
  type ReconcileContext,
  requeueAfter,
  type Stoppable,
  startController,
  startInformer,
} from '@liqo/runtime';
import { chooseGeneration } from './choose-generation.ts';
import { forgeGeneration } from './forge-generation.ts';
import type { Generation } from './generation.ts';
import { printGenerations, readGenerations } from './generation-secret.ts';
import { planRotation, type RotationPlan } from './plan-rotation.ts';
import { trustAuthorities } from './trust-authorities.ts';

/** The wall clock may be corrected while a timer runs. */
const longestDelayMs = 3600_000;

export interface WebhookCertificatesOptions
  extends Pick<InformerOptions<Secret>, 'client' | 'clock' | 'random' | 'log'> {
  /** Where all replicas have their certificate from. */
  readonly secret: { readonly namespace: string; readonly name: string };
  readonly secretLabels: Readonly<Record<string, string>>;
  /** Of the MutatingWebhookConfiguration and the ValidatingWebhookConfiguration. */
  readonly configurationName: string;
  /** By which API servers call this server. */
  readonly dnsNames: readonly string[];
  /** Called with the first certificate, and with every other one. */
  readonly serve: (generation: Generation) => void;
}

/**
 * Makes the authority and the serving certificate of the webhooks, stores them in a Secret, replaces them before they
 * expire, and writes the authority into the webhook configurations. Every replica does this: it finds what another one has
 * written. A Secret that is deleted or unreadable is replaced by a new generation, while the one in memory is still trusted
 * and served.
 */
export class WebhookCertificates implements Stoppable {
  readonly #options: WebhookCertificatesOptions;
  readonly #secrets: Informer<Secret>;
  readonly #mutating: Informer<MutatingWebhookConfiguration>;
  readonly #validating: Informer<ValidatingWebhookConfiguration>;
  readonly #controller: Controller;
  #served: Generation | undefined;

  constructor(options: WebhookCertificatesOptions) {
    this.#options = options;
    const { client, clock, random, log, secret, configurationName } = options;
    const parts = { client, clock, random, log };
    const named = (name: string) => ({ fieldSelector: `metadata.name=${name}` });
    const selection = { namespace: secret.namespace, ...named(secret.name) };
    this.#secrets = startInformer({ ...parts, kind: Secret, selection });
    const configurations = { ...parts, selection: named(configurationName) };
    this.#mutating = startInformer({ ...configurations, kind: MutatingWebhookConfiguration });
    this.#validating = startInformer({ ...configurations, kind: ValidatingWebhookConfiguration });
    const start = external();
    start.enqueue(secret);
    this.#controller = startController({
      name: 'webhook-certificates',
      sources: [
        start,
        primary(this.#secrets),
        mapped(this.#mutating, () => [secret]),
        mapped(this.#validating, () => [secret]),
      ],
      reconcile: (_, run) => this.#reconcile(run),
      clock,
      random,
      log,
    });
  }

  whyNotReady(): string | undefined {
    return this.#served ? undefined : 'there is no serving certificate yet';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    const informers: readonly AsyncDisposable[] = [this.#secrets, this.#mutating, this.#validating];
    await Promise.all(informers.map((informer) => informer[Symbol.asyncDispose]()));
  }

  async #reconcile(run: ReconcileContext): Promise<Outcome> {
    try {
      return await this.#bringUpToDate(run);
    } catch (error) {
      // Another replica was first: what it wrote is about to be seen.
      if (isConflict(error)) return done;
      throw error;
    }
  }

  async #bringUpToDate(run: ReconcileContext): Promise<Outcome> {
    const { client, clock, dnsNames, secret: key } = this.#options;
    const secret = this.#secrets.get(key) ?? (await client.get(Secret, key, run.signal));
    const generations = secret ? readGenerations(secret, dnsNames) : [];
    const plan = this.#plan(generations, clock.now());
    if (plan.do !== 'keep') {
      const kept = plan.do === 'issue' ? [await this.#issue(run), ...plan.kept] : plan.kept;
      await this.#store(secret, kept, run);
      return requeueAfter(0, 'the webhook configurations follow');
    }
    const trusted = { client, generations };
    await trustAuthorities(this.#mutating, MutatingWebhookConfiguration, trusted, run);
    await trustAuthorities(this.#validating, ValidatingWebhookConfiguration, trusted, run);
    const untilMs = Math.min(plan.untilMs, this.#serve(generations, run));
    const delayMs = Math.min(Math.max(0, untilMs - clock.now()), longestDelayMs);
    return requeueAfter(delayMs, 'certificates age');
  }

  /** In place of a Secret that is deleted, unreadable or out of date there is a new one, which has what is served now besides. */
  #plan(generations: readonly Generation[], nowMs: number): RotationPlan<Generation> {
    const isValid = ({ expiresAtMs }: Generation) => nowMs < expiresAtMs;
    if (generations.some(isValid)) return planRotation(generations, nowMs);
    return { do: 'issue', kept: this.#served ? [this.#served].filter(isValid) : [] };
  }

  async #issue({ log }: ReconcileContext): Promise<Generation> {
    const { clock, dnsNames } = this.#options;
    const generation = await forgeGeneration(dnsNames, clock.now());
    log.info('Issued a serving certificate', { expires: new Date(generation.expiresAtMs) });
    return generation;
  }

  async #store(
    secret: Stored<Secret> | undefined,
    generations: readonly Generation[],
    { signal, wrote }: ReconcileContext,
  ): Promise<void> {
    const { client, secret: key, secretLabels } = this.#options;
    const data = printGenerations(generations);
    if (secret) {
      wrote(this.#secrets, await client.update(Secret, { ...secret, data }, signal));
      return;
    }
    const metadata = { ...key, labels: secretLabels };
    // Each process has a manager of its own, which owns no field of another one: the second of two replicas is refused. An
    // apply needs no right to create Secrets of other names.
    const fieldManager = `liqo-webhook-${randomBytes(8).toString('hex')}`;
    const created: Secret = { metadata, type: 'Opaque', data };
    wrote(this.#secrets, await client.apply(Secret, created, { fieldManager, signal }));
  }

  /** Until when this is right. */
  #serve([newest, previous]: readonly Generation[], { log }: ReconcileContext): number {
    if (!newest) return 0;
    const { generation, untilMs } = chooseGeneration(newest, previous, this.#options.clock.now());
    if (generation.certificate !== this.#served?.certificate) {
      this.#options.serve(generation);
      this.#served = generation;
      log.info('Serves with another certificate', { expires: new Date(generation.expiresAtMs) });
    }
    return untilMs;
  }
}
