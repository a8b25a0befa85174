import type { PodPolicy } from './pod-policy.ts';
import { startsWithAny } from './pod-policy.ts';

type Entries = Readonly<Record<string, string>>;

/** Those of Liqo say which pod it is, and controllers of the provider need them. */
const ofLiqo: readonly string[] = ['liqo.io/', 'offloading.liqo.io/'];

/** The annotations, or labels, that the pod of a consumer may have. */
export function allowedEntries(entries: Entries = {}, { deniedAnnotations }: PodPolicy): Entries {
  const isAllowed = (key: string) =>
    startsWithAny(key, ofLiqo) || !startsWithAny(key, deniedAnnotations);
  return Object.fromEntries(Object.entries(entries).filter(([key]) => isAllowed(key)));
}
