import { type Client, PodDisruptionBudget } from '@liqo/kube';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';

/**
 * Until the controllers know the one pod that has these labels. They read pods from a cache that they share: what the
 * controller of budgets counts, none of them overlooks any more.
 */
export async function untilControllersKnow(
  client: Client,
  namespace: string,
  matchLabels: Readonly<Record<string, string>>,
): Promise<void> {
  const key = { namespace, name: 'known' };
  const spec = { selector: { matchLabels: { ...matchLabels } }, minAvailable: 1 };
  await client.create(PodDisruptionBudget, { metadata: key, spec });
  await eventually(async () => {
    const { status } = (await client.get(PodDisruptionBudget, key)) ?? {};
    expect(status?.expectedPods).toBe(1);
  });
  await client.delete(PodDisruptionBudget, key);
}
