import type { ResourceSlice, Tenant } from '@liqo/api';
import { findCondition, type ResourceList, type Stored } from '@liqo/kube';
import { resourceProblems } from './requested-resources.ts';
import { sliceCondition } from './slice-condition.ts';

type SliceStatus = NonNullable<ResourceSlice['status']>;

/** What the class `default` lends to every slice, besides what the slice asks for. */
export interface DefaultClass
  extends Pick<
    SliceStatus,
    'ingressClasses' | 'loadBalancerClasses' | 'nodeLabels' | 'storageClasses'
  > {
  /** Whether slices of this class are granted; otherwise they are denied. */
  readonly isEnabled: boolean;
  /** For resources that a slice does not mention. */
  readonly resources: ResourceList;
}

export type ResourcesDecision =
  /** The status stays as it is. */
  | { readonly type: 'leave' }
  /** What was decided here is taken back, for another controller to decide. */
  | { readonly type: 'reopen' }
  | { readonly type: 'deny'; readonly message: string; readonly reason?: string }
  | { readonly type: 'grant'; readonly granted: Granted };

type Granted = Pick<
  SliceStatus,
  'ingressClasses' | 'loadBalancerClasses' | 'nodeLabels' | 'resources' | 'storageClasses'
>;

/**
 * What an authenticated slice gets. A provider that drains or cordons a consumer grants nothing new, of whatever class; what a
 * cordoned consumer has been granted stays as it is. Other classes than the default one are decided by other controllers.
 */
export function grantResources(
  slice: Stored<ResourceSlice>,
  { tenantCondition }: Tenant['spec'],
  defaultClass: DefaultClass,
): ResourcesDecision {
  const decided = findCondition(slice.status?.conditions, 'Resources');
  if (tenantCondition === 'Drained') return { type: 'deny', message: drained };
  if (tenantCondition === 'Cordoned') {
    return decided ? { type: 'leave' } : { type: 'deny', message: cordoned };
  }
  if (isDefaultClass(slice)) {
    return defaultClass.isEnabled ? grantDefault(slice, defaultClass) : disabledClass;
  }
  const isByUs = [cordoned, drained, disabledClass.message].some(
    (fact) => decided?.message === sliceCondition('Resources', 'Denied', fact).message,
  );
  return { type: isByUs ? 'reopen' : 'leave' };
}

/** With the reason of Liqo. */
const disabledClass = {
  type: 'deny',
  reason: 'DefaultResourceSliceClassDisabled',
  message: 'the provider does not grant the class "default": ask for another class',
} as const;

const cordoned = 'the provider has cordoned this consumer: it grants nothing new';
const drained = 'the provider has drained this consumer';

function isDefaultClass({ spec }: ResourceSlice): boolean {
  return spec?.class === undefined || spec.class === '' || spec.class === 'default';
}

/** Grants what is asked for, without a look at what there is: a provider may grow, or lend more than it has. */
function grantDefault(
  { spec }: Stored<ResourceSlice>,
  { isEnabled: _, resources: defaults, ...offered }: DefaultClass,
): ResourcesDecision {
  const requested = spec?.resources ?? {};
  const problems = resourceProblems(requested);
  if (problems.length > 0) {
    const message = problems.map(({ path, message: fact }) => `${path}: ${fact}`).join('; ');
    return { type: 'deny', message };
  }
  return { type: 'grant', granted: { resources: { ...defaults, ...requested }, ...offered } };
}
