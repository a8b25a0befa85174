import { anyValue, flattenObject } from './flatten-object.ts';

/** Objects by kind, namespace and name. */
export type Objects = ReadonlyMap<string, unknown>;

export interface Difference {
  readonly object: string;
  /** Empty where one side does not have the object at all. */
  readonly field: string;
  readonly liqo: string;
  readonly ours: string;
}

/** What stands for a field, or an object, that is not there. */
const absent = '–';

export function compareObjects(liqo: Objects, ours: Objects): readonly Difference[] {
  const names = new Set([...liqo.keys(), ...ours.keys()]);
  return [...names].flatMap((object) => {
    if (!ours.has(object)) return [{ object, field: '', liqo: 'there', ours: absent }];
    if (!liqo.has(object)) return [{ object, field: '', liqo: absent, ours: 'there' }];
    return compareFields(object, flattenObject(liqo.get(object)), flattenObject(ours.get(object)));
  });
}

function compareFields(
  object: string,
  liqo: ReadonlyMap<string, string>,
  ours: ReadonlyMap<string, string>,
): readonly Difference[] {
  const fields = new Set([...liqo.keys(), ...ours.keys()]);
  return [...fields].flatMap((field) => {
    const [expected, actual] = [liqo.get(field), ours.get(field)];
    if (expected === actual || (expected === anyValue && actual !== undefined)) return [];
    return [{ object, field, liqo: expected ?? absent, ours: actual ?? absent }];
  });
}
