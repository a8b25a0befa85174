import {
  apiVersionOf,
  type Client,
  deepEqual,
  equalResources,
  type Kind,
  type KubeObject,
  keyString,
  parseKey,
  ResourceQuota,
  type Stored,
} from '@liqo/kube';
import type { ControlLoop } from '../../controllers/control-loop.ts';
import { ControllerContext, type ControllerOptions } from '../../controllers/controller-context.ts';
import { scopesOf } from './charge-quotas.ts';
import { type Counted, countUsage } from './count-usage.ts';
import { countedKinds } from './counted-kinds.ts';
import { evaluatorFor } from './evaluator-for.ts';

/** Also what is charged but was never stored is given back within this time. */
const recountMs = 5 * 60_000;

/**
 * Keeps the status of quotas: takes over what the spec limits, and counts anew when something was deleted, has ended, or
 * counts for something else. What is created is charged by admission, in time. Runs until disposed.
 */
export async function startQuotaController(
  client: Client,
  options: ControllerOptions,
): Promise<AsyncDisposable> {
  const context = new ControllerContext(client, options);
  const controller = new QuotaController(context);
  await context.start();
  return { [Symbol.asyncDispose]: () => controller.stop() };
}

class QuotaController {
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #watched = new Set<string>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#loop = context.loop('resourcequota', (key) => this.#recount(key));
    context.informer(ResourceQuota).onChange((quota, previous) => {
      if (quota && !deepEqual(quota.spec, previous?.spec)) this.#add(quota);
    });
  }

  stop(): Promise<void> {
    return this.#context[Symbol.asyncDispose]();
  }

  #add({ metadata }: Stored<ResourceQuota>): void {
    this.#loop.add(keyString(metadata));
  }

  async #recount(key: string): Promise<number | undefined> {
    const { client, clock, signal } = this.#context;
    const quota = await client.get(ResourceQuota, parseKey(key), signal);
    if (!quota) return undefined;
    const hard = quota.spec?.hard ?? {};
    const counted = await this.#count(quota.metadata.namespace, Object.keys(hard));
    const used = countUsage(quota, counted, clock.now()) as Record<string, string>;
    if (!isCurrent(quota, hard, used)) {
      await client.updateStatus(ResourceQuota, { ...quota, status: { hard, used } }, signal);
    }
    return recountMs;
  }

  /** Read from the server, not from a cache that may not have heard yet of what admission has charged. */
  async #count(
    namespace: string | undefined,
    names: readonly string[],
  ): Promise<readonly Counted[]> {
    const { client, signal } = this.#context;
    const kinds = await countedKinds(names, () => client.discover(signal));
    const counted = kinds.map(async (kind): Promise<Counted[]> => {
      await this.#watch(kind);
      const evaluator = evaluatorFor(kind);
      const { items } = await client.list(kind, { namespace, signal });
      return evaluator ? [{ evaluator, objects: items }] : [];
    });
    return (await Promise.all(counted)).flat();
  }

  async #watch(kind: Kind): Promise<void> {
    const informer = this.#context.informer(kind);
    const name = `${apiVersionOf(kind)}/${kind.plural}`;
    if (!this.#watched.has(name)) {
      this.#watched.add(name);
      informer.onChange((current, previous) => {
        if (previous && this.#countsOtherwise(kind, previous, current)) this.#wake(kind, previous);
      });
    }
    await informer.synced;
  }

  #countsOtherwise(kind: Kind, previous: KubeObject, current: KubeObject | undefined): boolean {
    const evaluator = evaluatorFor(kind);
    if (!current || !evaluator) return true;
    const nowMs = this.#context.clock.now();
    const scopes = this.#quotasFor(kind, previous).flatMap(scopesOf);
    return (
      !equalResources(evaluator.usageOf(previous, nowMs), evaluator.usageOf(current, nowMs)) ||
      scopes.some(
        (scope) => evaluator.isInScope(previous, scope) !== evaluator.isInScope(current, scope),
      )
    );
  }

  #wake(kind: Kind, object: KubeObject): void {
    for (const quota of this.#quotasFor(kind, object)) this.#add(quota);
  }

  #quotasFor(kind: Kind, { metadata }: KubeObject): readonly Stored<ResourceQuota>[] {
    const evaluator = evaluatorFor(kind);
    const quotas = this.#context.informer(ResourceQuota).inNamespace(metadata?.namespace);
    return quotas.filter(({ spec }) =>
      Object.keys(spec?.hard ?? {}).some((name) => evaluator?.measures(name)),
    );
  }
}

function isCurrent(
  { status }: ResourceQuota,
  hard: Readonly<Record<string, string>>,
  used: Readonly<Record<string, string>>,
): boolean {
  if (!status?.hard || !status.used) return false;
  const isNamedAlike = (a: object, b: object) =>
    deepEqual(Object.keys(a).sort(), Object.keys(b).sort());
  return (
    deepEqual(status.hard, hard) &&
    isNamedAlike(status.used, used) &&
    equalResources(status.used, used)
  );
}
