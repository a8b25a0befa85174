import { type Clock, type Pod, type Stored, sleep } from '@liqo/kube';

/** As often as a kubelet looks at a pod to which nothing happens. */
const refreshMs = 60_000;

/** Refreshes a pod's volumes again and again until the pod ends. Pods whose volumes never change are left alone. */
export async function keepFresh(
  clock: Clock,
  pod: Stored<Pod>,
  refresh: () => Promise<void>,
  ending: AbortSignal,
): Promise<void> {
  const volumes = pod.spec?.volumes ?? [];
  const isFixed = volumes.every((one) => {
    return !one.configMap && !one.secret && !one.projected && !one.downwardAPI;
  });
  while (!isFixed && !ending.aborted) {
    await sleep(clock, refreshMs, ending).catch(() => undefined);
    if (!ending.aborted) await refresh();
  }
}
