import { isJsonObject, type ResourceList } from '@liqo/kube';
import { resourceProblems } from '@liqo/model';
import type { Problem } from '../review/problems.ts';

/** What is wrong with amounts by resource, such as `spec.resources`; nothing if there are none. */
export function amountProblems(amounts: unknown, path: string): readonly Problem[] {
  if (amounts === undefined || amounts === null) return [];
  if (!isJsonObject(amounts)) return [{ path, message: 'it is not a map' }];
  const strange = Object.entries(amounts).find(([, amount]) => !isAmount(amount));
  if (strange) return [{ path: `${path}[${strange[0]}]`, message: 'it is not a quantity' }];
  return resourceProblems(amounts as ResourceList, path);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
