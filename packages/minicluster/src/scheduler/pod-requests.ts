import { type Pod, parseQuantity, quantityMilliValue, quantityValue } from '@liqo/kube';
import type { Container } from 'kubernetes-types/core/v1.d.ts';

/** Amounts by resource name, as the scheduler counts: thousandths of a CPU, whole units of everything else. */
export type Amounts = ReadonlyMap<string, number>;

type ResourceList = Readonly<Record<string, string | number>>;

/** What a container that requests nothing counts for when nodes are compared (never when they are filtered). */
const assumedRequests: Amounts = new Map([
  ['cpu', 100],
  ['memory', 200 * 1024 * 1024],
]);

export function readAmounts(list: ResourceList | undefined): Map<string, number> {
  const amounts = new Map<string, number>();
  for (const [name, written] of Object.entries(list ?? {})) {
    const quantity = parseQuantity(written);
    const value = name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);
    amounts.set(name, Number(value));
  }
  return amounts;
}

/** What a node must have left for the pod to fit. */
export function podRequests(pod: Pod): Amounts {
  return sumRequests(pod, (container) => readAmounts(container.resources?.requests));
}

/** The same, with something assumed for containers that do not say. */
export function scoredRequests(pod: Pod): Amounts {
  return sumRequests(pod, (container) => {
    const requests = readAmounts(container.resources?.requests);
    return new Map([...assumedRequests, ...requests]);
  });
}

/** Sidecars run beside everything that starts after them; each init container runs alone but for those. */
function sumRequests(pod: Pod, requestsOf: (container: Container) => Amounts): Amounts {
  const total = new Map<string, number>();
  for (const container of pod.spec?.containers ?? []) addAmounts(total, requestsOf(container));
  const sidecars = new Map<string, number>();
  const peak = new Map<string, number>();
  for (const container of pod.spec?.initContainers ?? []) {
    const requests = requestsOf(container);
    const running = new Map(sidecars);
    addAmounts(running, requests);
    raiseAmounts(peak, running);
    if (!isSidecar(container)) continue;
    addAmounts(sidecars, requests);
    addAmounts(total, requests);
  }
  raiseAmounts(total, peak);
  for (const [name, amount] of podLevelRequests(pod)) total.set(name, amount);
  addAmounts(total, readAmounts(pod.spec?.overhead));
  return total;
}

export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

/** Requests of the pod as a whole (KEP-2837) replace the sum of those of its containers. */
function podLevelRequests(pod: Pod): Amounts {
  const spec = pod.spec as { resources?: { requests?: ResourceList } } | undefined;
  return readAmounts(spec?.resources?.requests);
}

export function addAmounts(total: Map<string, number>, amounts: Amounts, times = 1): void {
  for (const [name, amount] of amounts) total.set(name, (total.get(name) ?? 0) + times * amount);
}

function raiseAmounts(total: Map<string, number>, amounts: Amounts): void {
  for (const [name, amount] of amounts) total.set(name, Math.max(total.get(name) ?? 0, amount));
}
