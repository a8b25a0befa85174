import { qualified } from '../../rest/refusal.ts';
import type { AdmissionAttributes } from '../admission.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** Counted by their own names before `count/…` was thought of. */
const aliases: readonly string[] = [
  'configmaps',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
];

/** `count/deployments.apps`. */
export function countName(resource: ResourceName): string {
  return `count/${qualified(resource)}`;
}

/** One for every object, whatever is in it. */
export function objectCount(resource: ResourceName): QuotaEvaluator {
  const hasAlias = resource.group === '' && aliases.includes(resource.plural);
  const names = [countName(resource), ...(hasAlias ? [resource.plural] : [])];
  const usage = Object.fromEntries(names.map((name) => [name, '1']));
  return {
    handles: isCreation,
    measures: (name) => names.includes(name),
    usageOf: () => usage,
    isInScope: () => false,
  };
}

function isCreation({ operation, subresource }: AdmissionAttributes): boolean {
  return operation === 'CREATE' && subresource === '';
}
