import { oneLine } from '@liqo/kube';
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
  try {
    const problems = policyRules.flatMap((rule) => rule.problems?.(spec, context) ?? []);
    if (problems.length > 0) return { type: 'refused', fact: describe(problems) };
    const change = (changed: PodSpec, { change: by }: (typeof policyRules)[number]) =>
      by ? by(changed, context) : changed;
    return { type: 'allowed', spec: policyRules.reduce(change, spec) };
  } catch {
    return { type: 'refused', fact: 'its spec is malformed' };
  }
}

function describe(problems: readonly string[]): string {
  const more = problems.length - mostProblems;
  const shown = problems.slice(0, mostProblems).map((problem) => oneLine(problem, 150));
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
