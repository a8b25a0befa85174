import { remembered, type Step } from './program.ts';
import type { Scene } from './scene.ts';

export function get({ target, choice }: Scene): Step {
  const query: Step['query'] = choice.chance(0.1) ? { resourceVersion: '0' } : {};
  return { ...target, method: 'GET', query };
}

export function list({ target, choice, name, steps, sample }: Scene): Step {
  const base = { ...target, name: undefined, method: 'GET' } as const;
  const own = sample.kind.namespaced ? [] : [`program=${name}`];
  const labels = [...own, ...choice.some(['app=web', 'app!=db', 'tier in (a,b)', '!tier'], 0.25)];
  const fields = choice.some([`metadata.name=${target.name}`, 'metadata.name!=y'], 0.15);
  const earlier = pagedList(steps, target);
  const query: Record<string, string> = {};
  if (labels.length > 0) query.labelSelector = labels.join(',');
  if (fields.length > 0) query.fieldSelector = fields.join(',');
  if (choice.chance(0.4)) query.limit = String(choice.between(1, 3));
  if (earlier !== undefined && choice.chance(0.7)) {
    return {
      ...base,
      query: { ...steps[earlier]?.query, continue: remembered(earlier, 'continue') },
    };
  }
  return { ...base, query };
}

/** The last list with a limit of the same collection. */
function pagedList(steps: readonly Step[], target: Scene['target']): number | undefined {
  const found = steps.findLastIndex(
    ({ kind, namespace, query }) =>
      kind === target.kind && namespace === target.namespace && query.limit !== undefined,
  );
  return found < 0 ? undefined : found;
}
