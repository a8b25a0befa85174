import { ownMember } from './json.ts';
import { checkLabelValue, checkQualifiedName, type NameFaults } from './names.ts';

/** One condition on one label. `=`, `==` and `in` mean the same for one value, and are written as they were read. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<';

export type Labels = Readonly<Record<string, string>>;

/** A label that is absent is unequal to every value, and neither greater nor less than any. */
export function matchesRequirement(requirement: LabelRequirement, labels: Labels): boolean {
  const { key, operator, values } = requirement;
  const value = ownMember(labels, key);
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value);
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case '>':
    case '<':
      return matchesOrder(operator, value, values[0]);
  }
}

/** As `Requirement.String()` in apimachinery. */
export function formatRequirement({ key, operator, values }: LabelRequirement): string {
  const list = values.toSorted().join(',');
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`;
    default:
      return `${key}${operator}${list}`;
  }
}

/** What is wrong with a requirement, in words; nothing if it is valid. */
export function checkRequirement({ key, operator, values }: LabelRequirement): NameFaults {
  return [
    ...checkQualifiedName(key).map((fault) => `the key "${key}" ${fault}`),
    ...checkValues(operator, values).map((fault) => `"${key}" ${fault}`),
    ...values.flatMap((value) => {
      return checkLabelValue(value).map((fault) => `the value "${value}" of "${key}" ${fault}`);
    }),
  ];
}

function checkValues(operator: LabelOperator, values: readonly string[]): NameFaults {
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length === 0 ? [`needs values for the operator "${operator}"`] : [];
    case 'exists':
    case '!':
      return values.length > 0 ? ['must not have values, for only its presence matters'] : [];
    case '=':
    case '==':
    case '!=':
      return values.length === 1 ? [] : [`needs one value for the operator "${operator}"`];
    case '>':
    case '<':
      return isOneInteger(values) ? [] : [`needs one integer for the operator "${operator}"`];
  }
}

function isOneInteger(values: readonly string[]): boolean {
  return values.length === 1 && parseInt64(values[0]) !== undefined;
}

function matchesOrder(operator: '<' | '>', value?: string, limit?: string): boolean {
  const [left, right] = [parseInt64(value), parseInt64(limit)];
  if (left === undefined || right === undefined) return false;
  return operator === '>' ? left > right : left < right;
}

function parseInt64(text = ''): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
