import type { VirtualNode } from '@liqo/api';
import { isJsonObject } from '@liqo/kube';
import { isOfLiqo } from './template-image.ts';
import type { TemplateContext, TemplateLevel } from './template-rule.ts';
import { templateRules } from './template-rules.ts';
import { isUnset } from './template-security.ts';

const maxNamed = 10;

/** Why `spec.template` of a VirtualNode is refused: each field that no rule allows, and each value that its rule refuses. */
export function templateProblems(
  template: VirtualNode['spec']['template'],
  context: TemplateContext,
): readonly string[] {
  const spec = childOf(template, 'spec');
  const pod = childOf(spec, 'template');
  const podSpec = childOf(pod, 'spec');
  const containers = isJsonObject(podSpec) ? podSpec.containers : undefined;
  const at = (level: TemplateLevel, value: unknown) => problemsAt(level, value, context);
  const problems = [
    ...unknownParts('', template, ['metadata', 'spec']),
    ...at('metadata', childOf(template, 'metadata')),
    ...at('spec', spec),
    ...unknownParts('spec.template.', pod, ['metadata', 'spec']),
    ...at('spec.template.metadata', childOf(pod, 'metadata')),
    ...at('spec.template.spec', podSpec),
    ...(Array.isArray(containers) ? containers : []).flatMap((container) =>
      at('spec.template.spec.containers', container),
    ),
  ];
  const more = problems.length - maxNamed;
  return more > 0 ? [...problems.slice(0, maxNamed), `and ${more} more`] : problems;
}

/** The fields that replace what the options say. */
export function usedFields(level: TemplateLevel, value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) return {};
  const isUsed = (field: string) => ruleOf(level, field)?.fate === 'used';
  const entries = Object.entries(value).filter(
    ([field, set]) => isUsed(field) && !isUnset(set) && !(field === 'image' && isOfLiqo(value)),
  );
  return Object.fromEntries(entries);
}

function problemsAt(
  level: TemplateLevel,
  value: unknown,
  context: TemplateContext,
): readonly string[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([field, set]) => {
    if (isUnset(set) || (field === 'image' && isOfLiqo(value))) return [];
    const rule = ruleOf(level, field);
    if (!rule) return [`${level}.${field} cannot be set`];
    return (rule.problems?.(set, context) ?? []).map((why) => `${level}.${field} ${why}`);
  });
}

function ruleOf(level: TemplateLevel, field: string) {
  return templateRules.find((rule) => rule.at === level && rule.field === field);
}

function unknownParts(path: string, value: unknown, known: readonly string[]): readonly string[] {
  if (!isJsonObject(value)) return [];
  const others = Object.entries(value).filter(
    ([key, set]) => !known.includes(key) && !isUnset(set),
  );
  return others.map(([key]) => `${path}${key} cannot be set`);
}

function childOf(value: unknown, key: 'metadata' | 'spec' | 'template'): unknown {
  return isJsonObject(value) ? value[key] : undefined;
}
