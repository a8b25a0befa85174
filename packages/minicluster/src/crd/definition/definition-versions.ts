import { deepEqual } from '@liqo/kube';
import type {
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from 'kubernetes-types/apiextensions/v1.d.ts';
import { forbidden, invalid, required } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import type { TypeSchema } from '../../schema/type-schema.ts';
import { schemaOf } from '../version-schema.ts';
import { validateDefaults } from './default-problems.ts';
import { validateColumns, validateSimplePath } from './definition-columns.ts';
import { validateLabel } from './definition-names.ts';
import { isReadable, validateOpenApiSchema } from './openapi-schema.ts';
import { validateSelectableFields } from './selectable-field-problems.ts';
import { validateStructural } from './structural-schema.ts';

type Version = CustomResourceDefinitionVersion;
type Check = (field: string, version: Version) => FieldProblem[];

export function validateVersions(versions: readonly Version[]): FieldProblem[] {
  const field = 'spec.versions';
  const unschemed = versions.flatMap((version, i) =>
    schemaOf(version) ? [] : [required(`${field}[${i}].schema.openAPIV3Schema`)],
  );
  return [
    ...unschemed,
    ...versions.flatMap((version, i) => validateVersion(`${field}[${i}]`, version)),
    ...validateAll(versions),
    ...(versions[0] ? validateLabel('spec.version', versions[0].name) : []),
    ...validateShared(versions, 'schema', 'spec.validation', '.schema', validateSchema),
    ...validateShared(
      versions,
      'subresources',
      'spec.subresources',
      '.subresources',
      validateScale,
    ),
    ...validateShared(
      versions,
      'additionalPrinterColumns',
      'spec.additionalPrinterColumns',
      '.additionalPrinterColumns',
      (place, { additionalPrinterColumns = [] }) =>
        validateColumns(place, additionalPrinterColumns),
    ),
    ...validateShared(
      versions,
      'selectableFields' as keyof Version,
      'spec.selectableFields',
      '.selectableFields',
      validateSelectableFields,
    ),
  ];
}

/** What all versions have alike the server keeps, and complains of, in one place for all. */
function validateShared(
  versions: readonly Version[],
  part: keyof Version,
  sharedField: string,
  suffix: string,
  check: Check,
): FieldProblem[] {
  const [first, ...others] = versions;
  if (first && others.every((other) => deepEqual(other[part], first[part]))) {
    return check(sharedField, first);
  }
  return versions.flatMap((version, i) => check(`spec.versions[${i}]${suffix}`, version));
}

function validateVersion(field: string, version: Version): FieldProblem[] {
  const { name, deprecated, deprecationWarning } = version;
  const isStray = deprecationWarning !== undefined && !deprecated;
  const rule = 'can only be set for deprecated versions';
  return [
    ...validateLabel(`${field}.name`, name),
    ...(isStray ? [invalid(`${field}.deprecationWarning`, deprecationWarning, rule)] : []),
  ];
}

function validateAll(versions: readonly Version[]): FieldProblem[] {
  const isUnique = new Set(versions.map(({ name }) => name)).size === versions.length;
  const stored = versions.filter(({ storage }) => storage).length;
  return [
    ...(isUnique ? [] : [wrongVersions(versions, 'must contain unique version names')]),
    ...(stored === 1
      ? []
      : [wrongVersions(versions, 'must have exactly one version marked as storage version')]),
  ];
}

/** Shown in the server's own form, without the parts that all versions share. */
function wrongVersions(versions: readonly Version[], rule: string): FieldProblem {
  const shown = versions.map(({ name, served, storage, deprecated, deprecationWarning }) => ({
    Name: name,
    Served: served,
    Storage: storage,
    Deprecated: deprecated ?? false,
    DeprecationWarning: deprecationWarning ?? null,
    Schema: null,
    Subresources: null,
    AdditionalPrinterColumns: null,
    SelectableFields: null,
  }));
  const message = `Invalid value: ${JSON.stringify(shown)}: ${rule}`;
  return { field: 'spec.versions', reason: 'FieldValueInvalid', message };
}

/** With a status of its own the root says nothing that would concern the status, too. */
const rootWords = [
  'description',
  'type',
  'format',
  'title',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'required',
  'enum',
  'items',
  'properties',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
];

function validateSchema(field: string, version: Version): FieldProblem[] {
  const schema = schemaOf(version);
  if (!schema) return [];
  const place = `${field}.openAPIV3Schema`;
  const canRead = isReadable(schema);
  const structural = canRead ? validateStructural(place, schema) : [];
  const isStructural = canRead && structural.length === 0;
  const defaults = isStructural ? validateDefaults(place, schema) : [];
  const isSound = isStructural && defaults.length === 0;
  return [
    ...(version.subresources?.status ? validateRoot(place, schema) : []),
    ...(schema.nullable
      ? [forbidden(`${place}.nullable`, 'nullable cannot be true at the root')]
      : []),
    ...structural,
    ...defaults,
    ...validateOpenApiSchema(place, schema, isSound),
  ];
}

function validateRoot(field: string, schema: TypeSchema): FieldProblem[] {
  const odd = Object.keys(schema).filter((word) => !rootWords.includes(word));
  if (odd.length === 0) return [];
  const rule = `only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(field, schema, rule)];
}

function validateScale(field: string, { subresources }: Version): FieldProblem[] {
  const scale: CustomResourceSubresourceScale | undefined = subresources?.scale;
  if (!scale) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...validateUnder(`${field}.scale.specReplicasPath`, specReplicasPath, ['.spec']),
    ...validateUnder(`${field}.scale.statusReplicasPath`, statusReplicasPath, ['.status']),
    ...(labelSelectorPath
      ? validateUnder(`${field}.scale.labelSelectorPath`, labelSelectorPath, ['.spec', '.status'])
      : []),
  ];
}

function validateUnder(field: string, path: string, roots: readonly string[]): FieldProblem[] {
  if (!path) return [required(field)];
  const faults = validateSimplePath(field, path);
  if (faults.length > 0 || roots.some((root) => path.startsWith(`${root}.`))) return faults;
  const allowed = roots.length === 1 ? roots[0] : `either ${roots.join(' or ')}`;
  return [invalid(field, path, `should be a json path under ${allowed}`)];
}
