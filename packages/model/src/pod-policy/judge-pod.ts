import { isJsonObject, oneLine } from '@liqo/kube';
import type { PodSpec } from '../pods/pod-spec.ts';
import type { PolicyContext } from './policy-rule.ts';
import { policyRules } from './policy-rules.ts';

/** What a provider makes of the pod that a consumer asks for. */
export type PodVerdict =
  | { readonly type: 'allowed'; readonly spec: PodSpec }
  /** Why not, as a clause. */
  | { readonly type: 'refused'; readonly fact: string };

/** As many as a message has room for. */
const mostProblems = 5;

/**
 * Applies every rule of the provider to the pod spec of a ShadowPod. Consumers write ShadowPods as they like, so a spec that
 * the rules cannot be applied to is refused as well.
 */
export function judgePod(spec: PodSpec, context: PolicyContext): PodVerdict {
  if (!isWellFormed(spec)) return malformed;
  try {
    const problems = policyRules.flatMap((rule) => rule.problems?.(spec, context) ?? []);
    if (problems.length > 0) return { type: 'refused', fact: describe(problems) };
    const change = (changed: PodSpec, { change: by }: (typeof policyRules)[number]) =>
      by ? by(changed, context) : changed;
    return { type: 'allowed', spec: policyRules.reduce(change, spec) };
  } catch {
    return malformed;
  }
}

const malformed: PodVerdict = { type: 'refused', fact: 'its spec is malformed' };

/** As far as the rules, and what follows changes of running pods, would take one thing for another. */
function isWellFormed(spec: PodSpec): boolean {
  const { containers, initContainers, ephemeralContainers, tolerations, volumes } = spec;
  const named: unknown[] = [containers, initContainers, ephemeralContainers, volumes];
  const isNamed = (one: unknown) => isJsonObject(one) && typeof one.name === 'string';
  return named.every((list) => isListOf(list, isNamed)) && isListOf(tolerations, isJsonObject);
}

function isListOf(list: unknown, isItem: (one: unknown) => boolean): boolean {
  return list === undefined || (Array.isArray(list) && list.every(isItem));
}

function describe(problems: readonly string[]): string {
  const more = problems.length - mostProblems;
  const shown = problems.slice(0, mostProblems).map((problem) => oneLine(problem, 150));
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
