import { readFileSync } from 'node:fs';
import type { CustomResourceDefinition } from '@liqo/kube';
import type { CustomResourceDefinitionSpec } from 'kubernetes-types/apiextensions/v1.d.ts';
import { describe, expect, test } from 'vitest';
import { customResourceDefinitions } from '../../resources/apiextensions/custom-resource-definition.ts';
import { builtInSchemas } from '../../schema/built-in-schemas.ts';
import { decodeObject } from '../../schema/decode.ts';
import { validateDefinition, validateDefinitionUpdate } from './validate-definition.ts';

type Cause = readonly [field: string, reason: string, message: string];

/** What a real API server (1.35) said of these definitions. Every entry is JSON in a text. */
const vectors = (
  JSON.parse(
    readFileSync(new URL('./validate-definition.vectors.json', import.meta.url), 'utf8'),
  ) as readonly string[]
).map((text): [string, string, CustomResourceDefinitionSpec, readonly Cause[]] => JSON.parse(text));

function forge(name: string, spec: CustomResourceDefinitionSpec): CustomResourceDefinition {
  const schemas = builtInSchemas();
  const schema = schemas.ofKind('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition') ?? {};
  const { object } = decodeObject(schemas, schema, { metadata: { name }, spec });
  const { withDefaults, onCreate } = customResourceDefinitions.strategy;
  const complete = withDefaults?.(object as CustomResourceDefinition) ?? {};
  return (onCreate?.(complete) ?? complete) as CustomResourceDefinition;
}

/** The parser of rules has words of its own; the place and the kind of the fault are the server's. */
function comparable([field, reason, message]: Cause): Cause {
  const shown = message
    .replace(/Syntax error: .*?\n/s, 'Syntax error\n')
    .replace(/^Invalid value: \{.*\}: only \[/, 'Invalid value: (schema): only [');
  return [field, reason, shown];
}

function byText(a: Cause, b: Cause): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

describe('validateDefinition()', () => {
  test.each(vectors)('judges %s as a real server', (_, name, spec, causes) => {
    const problems = validateDefinition(forge(name, spec)).map(
      ({ field, reason, message }): Cause => [field, reason.replace('FieldValue', ''), message],
    );
    expect(problems.map(comparable).sort(byText)).toEqual(causes.map(comparable).sort(byText));
  });
});

describe('validateDefinitionUpdate()', () => {
  const [, name = '', spec] = vectors[0] ?? [];
  if (!spec) throw new Error('There are no vectors');
  const before = forge(name, spec);
  const established = {
    ...before,
    status: {
      conditions: [{ type: 'Established', status: 'True' }],
      acceptedNames: spec.names,
      storedVersions: ['v1'],
    },
  };
  const moved = { ...before, spec: { ...before.spec, scope: 'Cluster' } };

  test('keeps the scope of an established definition', () => {
    expect(validateDefinitionUpdate(moved, established)).toMatchObject([{ field: 'spec.scope' }]);
  });

  test('lets the scope change before that', () => {
    expect(validateDefinitionUpdate(moved, before)).toEqual([]);
  });
});
