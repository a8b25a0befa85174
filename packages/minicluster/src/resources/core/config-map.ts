import { ConfigMap, type Stored } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  tooLong,
} from '../validation/field-problem.ts';
import { unchangedWhenImmutable } from '../validation/immutable.ts';
import { configKeyFaults } from '../validation/names.ts';

/** Of all values together. */
export const maxDataBytes = 1024 * 1024;

export const configMaps = defineResource<ConfigMap>({
  kind: ConfigMap,
  shortNames: ['cm'],
  columns: [
    nameColumn,
    textColumn('Data', ({ data = {}, binaryData = {} }: ConfigMap) => {
      return Object.keys(data).length + Object.keys(binaryData).length;
    }),
    ageColumn,
  ],
  strategy: {
    generation: 'none',
    validate: validateConfigMap,
    validateUpdate,
    tellsChangesFirst: true,
  },
});

function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldProblem[] {
  const problems = Object.keys(data).flatMap((key) => {
    const field = `data[${key}]`;
    const twice = invalid(field, key, 'duplicate of key present in binaryData');
    const isTwice = Object.hasOwn(binaryData, key);
    return [...invalidFor(field, key, configKeyFaults(key)), ...(isTwice ? [twice] : [])];
  });
  problems.push(
    ...Object.keys(binaryData).flatMap((key) =>
      invalidFor(`binaryData[${key}]`, key, configKeyFaults(key)),
    ),
  );
  const size = sum(data, (value) => Buffer.byteLength(value)) + sum(binaryData, base64Bytes);
  // The field is the whole object, which has no name.
  return size > maxDataBytes ? [...problems, tooLong('', maxDataBytes)] : problems;
}

function validateUpdate(next: ConfigMap, previous: Stored<ConfigMap>): FieldProblem[] {
  if (!previous.immutable) return [];
  return [
    ...(next.immutable
      ? []
      : [forbidden('immutable', 'field is immutable when `immutable` is set')]),
    ...unchangedWhenImmutable('data', next.data, previous.data),
    ...unchangedWhenImmutable('binaryData', next.binaryData, previous.binaryData),
  ];
}

export function sum(
  values: Readonly<Record<string, string>>,
  size: (value: string) => number,
): number {
  return Object.values(values).reduce((total, value) => total + size(value), 0);
}

export function base64Bytes(text: string): number {
  return Buffer.byteLength(text, 'base64');
}
