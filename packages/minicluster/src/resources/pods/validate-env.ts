import type {
  ConfigMapKeySelector,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  SecretKeySelector,
} from 'kubernetes-types/core/v1.d.ts';
import { type FieldProblem, invalid, invalidFor, required } from '../validation/field-problem.ts';
import {
  configKeyFaults,
  dnsLabelFaults,
  dnsSubdomainFaults,
  environmentNameFaults,
} from '../validation/names.ts';
import { noBacksteps } from '../validation/paths.ts';
import { validateFieldRef, validateResourceRef, variableFieldPaths } from './validate-downward.ts';

export function validateEnv(field: string, variables: readonly EnvVar[]): FieldProblem[] {
  return variables.flatMap((variable, i) => {
    const at = `${field}[${i}]`;
    const { name, valueFrom } = variable;
    return [
      ...(name
        ? invalidFor(`${at}.name`, name, environmentNameFaults(name))
        : [required(`${at}.name`)]),
      ...(valueFrom ? validateSource(`${at}.valueFrom`, variable, valueFrom) : []),
    ];
  });
}

interface FileKeyRef {
  readonly key?: string;
  readonly volumeName?: string;
  readonly path?: string;
}

type Source = EnvVarSource & { readonly fileKeyRef?: FileKeyRef };

function validateSource(field: string, variable: EnvVar, source: Source): FieldProblem[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  const problems: FieldProblem[] = [];
  if (fieldRef)
    problems.push(...validateFieldRef(`${field}.fieldRef`, fieldRef, variableFieldPaths));
  if (resourceFieldRef) {
    const at = `${field}.resourceFieldRef`;
    problems.push(...validateResourceRef(at, resourceFieldRef, { inVolume: false }));
  }
  if (configMapKeyRef)
    problems.push(...validateKeyRef(`${field}.configMapKeyRef`, configMapKeyRef));
  if (secretKeyRef) problems.push(...validateKeyRef(`${field}.secretKeyRef`, secretKeyRef));
  if (fileKeyRef) problems.push(...validateFileKeyRef(`${field}.fileKeyRef`, fileKeyRef));
  return [...problems, ...validateCount(field, variable, Object.keys(source).length)];
}

function validateCount(field: string, { value }: EnvVar, count: number): FieldProblem[] {
  if (count === 0) {
    const rule =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    return [invalid(field, '', rule)];
  }
  if (value) return [invalid(field, '', 'may not be specified when `value` is not empty')];
  return count > 1
    ? [invalid(field, '', 'may not have more than one field specified at a time')]
    : [];
}

function validateKeyRef(
  field: string,
  { name = '', key }: ConfigMapKeySelector | SecretKeySelector,
): FieldProblem[] {
  return [
    ...invalidFor(`${field}.name`, name, dnsSubdomainFaults(name)),
    ...(key ? invalidFor(`${field}.key`, key, configKeyFaults(key)) : [required(`${field}.key`)]),
  ];
}

function validateFileKeyRef(field: string, { key, volumeName, path }: FileKeyRef): FieldProblem[] {
  return [
    ...(key
      ? invalidFor(`${field}.key`, key, environmentNameFaults(key))
      : [required(`${field}.key`)]),
    ...(volumeName
      ? invalidFor(`${field}.volumeName`, volumeName, dnsLabelFaults(volumeName))
      : [required(`${field}.volumeName`)]),
    ...(path ? noBacksteps(`${field}.path`, path) : [required(`${field}.path`)]),
  ];
}

export function validateEnvFrom(field: string, sources: readonly EnvFromSource[]): FieldProblem[] {
  return sources.flatMap(({ prefix, configMapRef, secretRef }, i) => {
    const at = `${field}[${i}]`;
    const refs = Object.entries({ configMapRef, secretRef }).filter(([, ref]) => ref);
    return [
      ...(prefix ? invalidFor(`${at}.prefix`, prefix, environmentNameFaults(prefix)) : []),
      ...refs.flatMap(([name, ref]) => validateObjectName(`${at}.${name}.name`, ref?.name)),
      ...validateRefCount(field, refs.length),
    ];
  });
}

function validateObjectName(field: string, name: string | undefined): FieldProblem[] {
  return name ? invalidFor(field, name, dnsSubdomainFaults(name)) : [required(field)];
}

function validateRefCount(field: string, count: number): FieldProblem[] {
  if (count === 1) return [];
  const rule =
    count === 0
      ? 'must specify one of: `configMapRef` or `secretRef`'
      : 'may not have more than one field specified at a time';
  return [invalid(field, '', rule)];
}
