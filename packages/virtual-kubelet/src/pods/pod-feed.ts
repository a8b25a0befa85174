import { keyOf, type ObjectKey, Pod } from '@liqo/kube';
import { external, type Informer, primary, type Source, startInformer } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';

/** The pods that are bound to the node, and everything that makes one of them worth another look. */
export class PodFeed implements AsyncDisposable {
  readonly pods: Informer<Pod>;
  readonly sources: readonly Source[];
  readonly #nudges = external();

  constructor({ local: client, virtualNode, clock, random, log }: KubeletContext) {
    const selection = { fieldSelector: `spec.nodeName=${virtualNode.name}` };
    this.pods = startInformer({ client, kind: Pod, clock, random, log, selection });
    this.sources = [primary(this.pods), this.#nudges];
  }

  lookAt(pod: ObjectKey): void {
    this.#nudges.enqueue(pod);
  }

  lookAtNamespace(namespace: string): void {
    if (!this.pods.hasSynced) return;
    for (const pod of this.pods.list(namespace)) this.#nudges.enqueue(keyOf(pod));
  }

  lookAtAll(isMeant: (pod: Pod) => boolean = () => true): void {
    if (!this.pods.hasSynced) return;
    for (const pod of this.pods.list().filter(isMeant)) this.#nudges.enqueue(keyOf(pod));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.pods[Symbol.asyncDispose]();
  }
}
