import {
  formatQuantity,
  maxQuantity,
  type PersistentVolumeClaim,
  parseQuantity,
  quantityValue,
  type ResourceList,
} from '@liqo/kube';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const ofClass = '.storageclass.storage.k8s.io/';
const measured: readonly string[] = ['persistentvolumeclaims', 'requests.storage'];

/** Claims count by number and by size, in all and for each storage class. */
export const claimUsage: QuotaEvaluator = {
  handles: ({ operation, subresource }) =>
    subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  measures: (name) =>
    name === 'count/persistentvolumeclaims' ||
    measured.some((one) => name === one || name.endsWith(ofClass + one)),
  usageOf,
  isInScope: () => false,
};

function usageOf(claim: PersistentVolumeClaim): ResourceList {
  const storage = storageOf(claim);
  const usage = {
    persistentvolumeclaims: '1',
    ...(storage !== undefined && { 'requests.storage': storage }),
  };
  const storageClass = claim.spec?.storageClassName;
  const perClass = Object.entries(usage).map(([name, amount]) => [
    `${storageClass}${ofClass}${name}`,
    amount,
  ]);
  return {
    'count/persistentvolumeclaims': '1',
    ...usage,
    ...(storageClass && Object.fromEntries(perClass)),
  };
}

/** Whole bytes; of a claim that grows, what it has been given already if that is more. */
function storageOf({ spec, status }: PersistentVolumeClaim): string | undefined {
  const asked = spec?.resources?.requests?.storage;
  if (asked === undefined) return undefined;
  const given = status?.allocatedResources?.storage ?? asked;
  const amount = maxQuantity(parseQuantity(asked), parseQuantity(given));
  const { format } = amount;
  return formatQuantity({ mantissa: quantityValue(amount), scale: 0, format });
}
