import {
  type DiscoveredResource,
  type Discovery,
  deepEqual,
  isConflict,
  isNotFound,
  keyOf,
  Namespace,
  Pod,
  type Stored,
} from '@liqo/kube';
import type { ControllerContext } from '../controller-context.ts';
import { messageOf } from '../message-of.ts';
import { preferredResources } from '../preferred-resources.ts';
import {
  type DeletionOutcome,
  planNamespaceConditions,
  type Remainder,
} from './namespace-conditions.ts';

/** The real controller looks again after half the grace period of what is left; waiting less is not seen. */
const lookAgainMs = 1_000;

/** Empties namespaces that are being deleted, then lets them go. */
export function startNamespaceController(context: ControllerContext): void {
  const namespaces = context.informer(Namespace);
  const controller = new NamespaceController(context);
  const loop = context.loop('namespace', async (name) => {
    const namespace = namespaces.get({ name });
    const { deletionTimestamp } = namespace?.metadata ?? {};
    if (!namespace || !deletionTimestamp || isFinalized(namespace)) return undefined;
    const isEmpty = await controller.empty(namespace);
    return isEmpty ? undefined : lookAgainMs;
  });
  const isLeaving = (name: string) => namespaces.get({ name })?.metadata.deletionTimestamp;
  namespaces.onChange((current) => {
    if (current?.metadata.deletionTimestamp) loop.add(current.metadata.name);
  });
  context.informer(Pod).onChange((current, previous) => {
    const { namespace = '' } = previous?.metadata ?? {};
    if (!current && isLeaving(namespace)) loop.add(namespace);
  });
}

function isFinalized({ spec }: Namespace): boolean {
  return !spec?.finalizers?.includes('kubernetes');
}

class NamespaceController {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** Whether nothing is left and the namespace has been let go. */
  async empty(namespace: Stored<Namespace>): Promise<boolean> {
    const { name } = namespace.metadata;
    const outcome = await this.#deleteContent(name);
    await this.#report(namespace, outcome);
    const { remainders, failures, discoveryFailure, waitsForPods } = outcome;
    const isEmpty = remainders.length === 0 && failures.length === 0 && !waitsForPods;
    if (!isEmpty || discoveryFailure) return false;
    await this.#finalize(name);
    return true;
  }

  /** Pods go first, so that what they need (secrets, policies) is there while they end. */
  async #deleteContent(namespace: string): Promise<DeletionOutcome> {
    const { discovery, discoveryFailure } = await this.#discover();
    const kinds = preferredResources(discovery).filter(
      (kind) => kind.namespaced && kind.verbs.includes('delete') && kind.verbs.includes('list'),
    );
    const isPods = ({ group, plural }: DiscoveredResource) => group === '' && plural === 'pods';
    const first = await this.#deleteKinds(kinds.filter(isPods), namespace);
    if (first.remainders.length > 0) {
      const { failures } = first;
      return { remainders: [], failures, discoveryFailure, waitsForPods: true };
    }
    const rest = await this.#deleteKinds(
      kinds.filter((kind) => !isPods(kind)),
      namespace,
    );
    return { ...rest, failures: [...first.failures, ...rest.failures], discoveryFailure };
  }

  async #discover(): Promise<{ discovery: Discovery; discoveryFailure?: string }> {
    try {
      return { discovery: await this.#context.client.discover() };
    } catch (error) {
      return { discovery: [], discoveryFailure: messageOf(error) };
    }
  }

  async #deleteKinds(
    kinds: readonly DiscoveredResource[],
    namespace: string,
  ): Promise<DeletionOutcome> {
    const results = await Promise.allSettled(
      kinds.map((kind) => this.#deleteKind(kind, namespace)),
    );
    const remainders: Remainder[] = [];
    const failures: string[] = [];
    for (const result of results) {
      if (result.status === 'rejected') failures.push(messageOf(result.reason));
      else if (result.value.count > 0) remainders.push(result.value);
    }
    return { remainders, failures };
  }

  /** Discovery may be late to notice that a kind is served no more: then nothing of it is left. */
  async #deleteKind(kind: DiscoveredResource, namespace: string): Promise<Remainder> {
    try {
      return await this.#deleteServedKind(kind, namespace);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return { plural: kind.plural, group: kind.group, count: 0, finalizers: [] };
    }
  }

  async #deleteServedKind(kind: DiscoveredResource, namespace: string): Promise<Remainder> {
    const before = await this.#context.reader.list(kind, { namespace });
    const isUntouched = before.items.some(({ metadata }) => !metadata.deletionTimestamp);
    if (isUntouched) await this.#deleteAll(kind, namespace);
    const { items } = isUntouched ? await this.#context.reader.list(kind, { namespace }) : before;
    const finalizers = items.flatMap(({ metadata }) => metadata.finalizers ?? []);
    const { plural, group } = kind;
    return { plural, group, count: items.length, finalizers };
  }

  async #deleteAll(kind: DiscoveredResource, namespace: string): Promise<void> {
    const { client, reader } = this.#context;
    const propagationPolicy = 'Background' as const;
    if (kind.verbs.includes('deletecollection')) {
      return client.deleteCollection(kind, { namespace, propagationPolicy });
    }
    const { items } = await reader.list(kind, { namespace });
    for (const item of items) {
      await client.delete(kind, keyOf(item), { propagationPolicy }).catch(unlessGone);
    }
  }

  async #report(namespace: Stored<Namespace>, outcome: DeletionOutcome): Promise<void> {
    const { status = {} } = namespace;
    const nowMs = this.#context.clock.now();
    const conditions = planNamespaceConditions(status.conditions ?? [], outcome, nowMs);
    if (deepEqual(conditions, status.conditions)) return;
    const wanted = { ...namespace, status: { ...status, conditions } };
    try {
      await this.#context.informer(Namespace).updateStatus(wanted);
    } catch (error) {
      // Conditions are for onlookers: a stale write is not worth holding the namespace up for.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  async #finalize(name: string): Promise<void> {
    const { client, reader } = this.#context;
    const namespace = await reader.get(Namespace, { name });
    if (!namespace || isFinalized(namespace)) return;
    const finalizers = namespace.spec?.finalizers?.filter((one) => one !== 'kubernetes') ?? [];
    const body = JSON.stringify({ ...namespace, spec: { ...namespace.spec, finalizers } });
    const path = `/api/v1/namespaces/${name}/finalize`;
    const headers = { 'content-type': 'application/json' };
    const answer = await client.raw({ method: 'PUT', path, headers, body });
    answer.discard();
  }
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
