import { deepCopy, isJsonObject, type Json, type JsonObject, ownMember } from '@liqo/kube';
import { defaultValues, type Values } from '../values.ts';

/** What an installation is told; Helm knows the rest of the values by itself. */
export type GivenValues = JsonObject;

/** The defaults with the given values on top: maps are merged, the last one counts. They must have been checked. */
export function mergeValues(
  given: readonly GivenValues[],
  fixed: Pick<Values, 'clusterID' | 'namespace'>,
): Values {
  const defaults = deepCopy(defaultValues) as unknown as JsonObject;
  const merged = given.reduce<JsonObject>(merge, defaults);
  return { ...(merged as unknown as Omit<Values, 'clusterID'>), ...fixed };
}

/** The given values as one document: what `helm --values` would take. */
export function mergeGiven(given: readonly GivenValues[]): GivenValues {
  return given.reduce<JsonObject>(merge, {});
}

function merge(base: JsonObject, given: JsonObject): JsonObject {
  const changes = Object.entries(given).map(([key, value]): [string, Json] => {
    const before = ownMember(base, key);
    return [key, isJsonObject(before) && isJsonObject(value) ? merge(before, value) : value];
  });
  return { ...base, ...Object.fromEntries(changes) };
}
