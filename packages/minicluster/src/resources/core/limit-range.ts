import { LimitRange } from '@liqo/kube';
import type { LimitRangeItem } from 'kubernetes-types/core/v1.d.ts';
import { defineResource } from '../define-resource.ts';
import { changeEach, changeIn } from '../fill-in.ts';
import { roundAll } from '../pods/container-defaults.ts';
import {
  duplicate,
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  required,
} from '../validation/field-problem.ts';
import { qualifiedNameFaults } from '../validation/names.ts';
import { isMore, quantityText } from '../validation/quantities.ts';
import {
  validateContainerResourceName,
  validateResourceName,
} from '../validation/resource-names.ts';

export const limitRanges = defineResource<LimitRange>({
  kind: LimitRange,
  shortNames: ['limits'],
  strategy: {
    generation: 'none',
    withDefaults: (range: LimitRange) =>
      changeIn(range, 'spec', (spec) => changeEach(spec, 'limits', defaultItem)),
    validate: ({ spec }: LimitRange) => {
      const limits = spec?.limits ?? [];
      return limits.flatMap((item, i) =>
        validateItem(`spec.limits[${i}]`, item, limits.slice(0, i)),
      );
    },
    createsOnUpdate: true,
  },
});

type Amounts = Readonly<Record<string, string>>;

const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

/** For containers the bounds are the defaults of what is left open. */
function defaultItem(item: LimitRangeItem): LimitRangeItem {
  const rounded = lists.reduce((one, list) => changeIn(one, list, roundAll), item);
  if (rounded.type !== 'Container') return rounded;
  const limit = { ...rounded.max, ...rounded.default };
  const request = { ...rounded.min, ...limit, ...rounded.defaultRequest };
  return {
    ...rounded,
    ...(Object.keys(limit).length > 0 && { default: limit }),
    ...(Object.keys(request).length > 0 && { defaultRequest: request }),
  };
}

const types: readonly string[] = ['Pod', 'Container', 'PersistentVolumeClaim'];

function validateItem(
  field: string,
  item: LimitRangeItem,
  earlier: readonly LimitRangeItem[],
): FieldProblem[] {
  const { type } = item;
  const faults = invalidFor(`${field}.type`, type, qualifiedNameFaults(type));
  const isUnknown = faults.length === 0 && !type.includes('/') && !types.includes(type);
  const rule = 'must be a standard limit type or fully qualified';
  return [
    ...faults,
    ...(isUnknown ? [invalid(`${field}.type`, type, rule)] : []),
    ...(earlier.some((one) => one.type === type) ? [duplicate(`${field}.type`, type)] : []),
    ...validateNames(field, item),
    ...validatePodLimits(field, item),
    ...validateClaimLimits(field, item),
    ...resourcesOf(item).flatMap((resource) => validateOrder(field, item, resource)),
  ];
}

function validateNames(field: string, item: LimitRangeItem): FieldProblem[] {
  const isOfPods = item.type === 'Pod' || item.type === 'Container';
  const check = isOfPods ? validateContainerResourceName : validateResourceName;
  return lists.flatMap((list) =>
    Object.keys(item[list] ?? {}).flatMap((name) => check(`${field}.${list}[${name}]`, name)),
  );
}

function validatePodLimits(field: string, item: LimitRangeItem): FieldProblem[] {
  if (item.type !== 'Pod') return [];
  const rule = "may not be specified when `type` is 'Pod'";
  return (['default', 'defaultRequest'] as const)
    .filter((list) => Object.keys(item[list] ?? {}).length > 0)
    .map((list) => forbidden(`${field}.${list}`, rule));
}

function validateClaimLimits(field: string, { type, min, max }: LimitRangeItem): FieldProblem[] {
  if (type !== 'PersistentVolumeClaim' || min?.storage || max?.storage) return [];
  const rule = 'either minimum or maximum storage value is required, but neither was provided';
  return [required(`${field}.limits`, rule)];
}

function resourcesOf(item: LimitRangeItem): string[] {
  return [...new Set(lists.flatMap((list) => Object.keys(item[list] ?? {})))];
}

interface Order {
  readonly low: List;
  readonly high: List;
  /** The list that is wrong when they are the other way round, and whose amount is shown. */
  readonly blamed: List;
  readonly shows: 'low' | 'high';
}

type List = (typeof lists)[number];

const orders: readonly Order[] = [
  { low: 'min', high: 'max', blamed: 'min', shows: 'low' },
  { low: 'min', high: 'defaultRequest', blamed: 'defaultRequest', shows: 'high' },
  { low: 'defaultRequest', high: 'max', blamed: 'defaultRequest', shows: 'low' },
  { low: 'defaultRequest', high: 'default', blamed: 'defaultRequest', shows: 'low' },
  { low: 'min', high: 'default', blamed: 'default', shows: 'low' },
  { low: 'default', high: 'max', blamed: 'default', shows: 'high' },
];

function validateOrder(field: string, item: LimitRangeItem, resource: string): FieldProblem[] {
  return orders.flatMap(({ low, high, blamed, shows }) => {
    const [small, large] = [amount(item[low], resource), amount(item[high], resource)];
    if (small === undefined || large === undefined || !isMore(small, large)) return [];
    const names = [nameOf(low, high), nameOf(high, low)];
    const rule = `${names[0]} ${quantityText(small)} is greater than ${names[1]} ${quantityText(large)}`;
    const value = quantityText(shows === 'low' ? small : large);
    return [invalid(`${field}.${blamed}[${resource}]`, value, rule)];
  });
}

/** Next to the default of requests, the default of limits is called by its full name. */
function nameOf(list: List, other: List): string {
  if (list === 'defaultRequest') return 'default request value';
  if (list === 'default')
    return other === 'defaultRequest' ? 'default limit value' : 'default value';
  return `${list} value`;
}

function amount(amounts: Amounts | undefined, resource: string): string | undefined {
  return amounts?.[resource];
}
