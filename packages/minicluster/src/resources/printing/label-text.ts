import { formatLabelSelector, LabelSelectorError, labelQueryFromSelector } from '@liqo/kube';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';

/** `a=1,b=2` in the order of the keys; `<none>` without any. */
export function labelText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.sort().join(',') || '<none>';
}

/** A selector as the `labelSelector` parameter would have it; `<none>` when it selects everything. */
export function selectorText(selector: LabelSelector | undefined): string {
  const text = queryText(selector);
  return text === '' ? '<none>' : (text ?? '<error>');
}

/** Undefined for a selector that cannot be read. */
export function queryText(selector: LabelSelector | undefined): string | undefined {
  try {
    return formatLabelSelector(labelQueryFromSelector(selector));
  } catch (error) {
    if (error instanceof LabelSelectorError) return undefined;
    throw error;
  }
}
