import { ownMember } from '@liqo/kube';
/** What becomes of a field of a pod on its way to the provider. */
export type FieldFate = 'copied' | 'removed' | 'translated' | 'refused';

export interface FieldRule {
  readonly fate: FieldFate;
  /** For the reader of the published table. Empty where "copied" says it all. */
  readonly why: string;
  /** Whether a change made after the pod was offloaded reaches the provider. */
  readonly follows: boolean;
}

export type FieldTable = Readonly<Record<string, FieldRule>>;

export const asItIs: FieldRule = rule('copied');

export function copied(why: string): FieldRule {
  return rule('copied', why);
}

export function removed(why: string): FieldRule {
  return rule('removed', why);
}

export function translated(why: string): FieldRule {
  return rule('translated', why);
}

export function refused(why: string): FieldRule {
  return rule('refused', why);
}

export function following(followed: FieldRule): FieldRule {
  return { ...followed, follows: true };
}

function rule(fate: FieldFate, why = ''): FieldRule {
  return { fate, why, follows: false };
}

/** The members of an object whose fate is not among these. What the table does not know is copied. */
export function withoutFates<T extends object>(
  value: T,
  table: FieldTable,
  fates: readonly FieldFate[],
): T {
  const kept = Object.entries(value).filter(([field]) => !fates.includes(fateOf(field, table)));
  return Object.fromEntries(kept) as T;
}

function fateOf(field: string, table: FieldTable): FieldFate {
  return (ownMember(table, field) ?? asItIs).fate;
}
