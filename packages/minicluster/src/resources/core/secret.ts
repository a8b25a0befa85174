import { Secret, type Stored } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { fillIn } from '../fill-in.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  required,
  tooLong,
} from '../validation/field-problem.ts';
import { unchanged, unchangedWhenImmutable } from '../validation/immutable.ts';
import { configKeyFaults } from '../validation/names.ts';
import { base64Bytes, maxDataBytes, sum } from './config-map.ts';

export const secrets = defineResource<Secret>({
  kind: Secret,
  selectableFields: { type: ({ type }) => type ?? '' },
  columns: [
    nameColumn,
    textColumn('Type', ({ type }: Secret) => type ?? ''),
    textColumn('Data', ({ data }: Secret) => Object.keys(data ?? {}).length),
    ageColumn,
  ],
  strategy: {
    generation: 'none',
    withDefaults,
    validate: validateSecret,
    validateUpdate,
    tellsChangesFirst: true,
  },
});

/** What was written in the clear is kept encoded with the rest. */
function withDefaults(secret: Secret): Secret {
  const { stringData, ...rest } = secret;
  const complete = fillIn(rest, { type: 'Opaque' });
  if (!stringData) return complete;
  const encoded = Object.entries(stringData).map(([key, value]) => [key, btoaUtf8(value)]);
  return { ...complete, data: { ...complete.data, ...Object.fromEntries(encoded) } };
}

function btoaUtf8(text: string): string {
  return Buffer.from(text).toString('base64');
}

function validateSecret(secret: Secret): FieldProblem[] {
  const data = secret.data ?? {};
  const keys = Object.keys(data).flatMap((key) =>
    invalidFor(`data[${key}]`, key, configKeyFaults(key)),
  );
  const isTooLong = sum(data, base64Bytes) > maxDataBytes;
  const size = isTooLong ? [tooLong('data', maxDataBytes)] : [];
  return [...keys, ...size, ...validateType(secret, data)];
}

const accountAnnotation = 'kubernetes.io/service-account.name';

/** Some types promise that certain keys are there. */
function validateType(secret: Secret, data: Readonly<Record<string, string>>): FieldProblem[] {
  const missing = (...keys: readonly string[]) =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  switch (secret.type) {
    case 'kubernetes.io/service-account-token':
      if (secret.metadata?.annotations?.[accountAnnotation]) return [];
      return [required(`metadata.annotations[${accountAnnotation}]`)];
    case 'kubernetes.io/dockercfg':
      return validateJson('.dockercfg', data);
    case 'kubernetes.io/dockerconfigjson':
      return validateJson('.dockerconfigjson', data);
    case 'kubernetes.io/basic-auth': {
      const absent = missing('username', 'password');
      return absent.length === 2 ? absent : [];
    }
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]')];
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key');
    default:
      return [];
  }
}

function validateJson(key: string, data: Readonly<Record<string, string>>): FieldProblem[] {
  const field = `data[${key}]`;
  const encoded = data[key];
  if (encoded === undefined) return [required(field)];
  const fault = jsonFault(Buffer.from(encoded, 'base64').toString());
  return fault ? [invalid(field, '<secret contents redacted>', fault)] : [];
}

/** What Go says about text that is not a JSON object. */
function jsonFault(text: string): string | undefined {
  if (text.trim() === '') return 'unexpected end of JSON input';
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && !Array.isArray(value)) return undefined;
    const type = Array.isArray(value) ? 'array' : typeof value;
    return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  } catch {
    return `invalid character '${text.trimStart()[0]}' looking for beginning of value`;
  }
}

function validateUpdate(next: Secret, previous: Stored<Secret>): FieldProblem[] {
  const type = unchanged('type', next.type, previous.type);
  if (!previous.immutable) return type;
  return [
    ...type,
    ...(next.immutable
      ? []
      : [forbidden('immutable', 'field is immutable when `immutable` is set')]),
    ...unchangedWhenImmutable('data', next.data, previous.data),
  ];
}
