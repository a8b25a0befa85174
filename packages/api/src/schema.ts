/**
 * Structural OpenAPI v3 schemas, built from small functions. What a function returns is the schema itself, ready to be
 * written into a CustomResourceDefinition; beside it, for the compiler only, travels the type of the values that the
 * schema admits. So a field is described once, and its TypeScript type cannot drift from what the API server checks.
 */

declare const valueType: unique symbol;

/** The keywords our kinds use. What is not listed here either breaks structural schemas or was never needed. */
export interface StructuralSchema {
  readonly type?: 'array' | 'boolean' | 'integer' | 'object' | 'string';
  readonly description?: string;
  readonly default?: JsonValue;
  readonly enum?: string[];
  readonly format?: 'byte' | 'cidr' | 'date-time' | 'int32' | 'int64' | 'ipv4';
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: StructuralSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: StructuralSchema };
  readonly required?: string[];
  readonly additionalProperties?: StructuralSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly anyOf?: StructuralSchema[];
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-list-map-keys'?: string[];
  readonly 'x-kubernetes-map-type'?: 'atomic';
  readonly 'x-kubernetes-validations'?: ValidationRule[];
}

/** A rule in CEL, as `x-kubernetes-validations` takes it. */
interface ValidationRule {
  readonly rule: string;
  readonly message: string;
  /** The field to blame, relative to where the rule stands: `.timeToLive`. */
  readonly fieldPath?: string;
}

type JsonValue = string | number | boolean | JsonValue[] | { readonly [name: string]: JsonValue };

/** A schema that admits values of type `T`. */
export type Schema<T> = StructuralSchema & { readonly [valueType]?: T };

/** The type of the values that a schema admits: `Infer<typeof toleration>`. */
export type Infer<S> = S extends Schema<infer T> ? T : never;

type Keywords<K extends keyof StructuralSchema> = Pick<StructuralSchema, K | 'description'>;

/** `T` narrows the type alone: `string<'Ready' | 'Failed'>()` names the values we know, and still admits any other. */
export function string<T extends string = string>(
  keywords: Keywords<'format' | 'maxLength' | 'minLength' | 'pattern'> = {},
): Schema<T> {
  return { type: 'string', ...keywords };
}

export function stringEnum<const T extends string>(...values: T[]): Schema<T> {
  return { type: 'string', enum: values };
}

export function bytes(description?: string, keywords: Keywords<'maxLength'> = {}): Schema<string> {
  return describe({ type: 'string', format: 'byte', ...keywords }, description);
}

export function dateTime(description?: string): Schema<string> {
  return describe({ type: 'string', format: 'date-time' }, description);
}

export function boolean(description?: string): Schema<boolean> {
  return describe({ type: 'boolean' }, description);
}

export function integer(keywords: Keywords<'format' | 'maximum' | 'minimum'> = {}): Schema<number> {
  return { type: 'integer', ...keywords };
}

/**
 * A Kubernetes quantity that is not negative: a whole number, or text such as `1500m` or `4Gi`.
 * The sign is refused by the pattern and, for numbers, by the minimum: no rule in CEL, hence no cost budget to watch.
 */
export function quantity(): Schema<string | number> {
  return {
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    minimum: 0,
    pattern: '^\\+?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$',
    'x-kubernetes-int-or-string': true,
  };
}

export function list<T>(
  items: Schema<T>,
  keywords: Keywords<
    'maxItems' | 'minItems' | 'x-kubernetes-list-type' | 'x-kubernetes-list-map-keys'
  > = {},
): Schema<T[]> {
  return { type: 'array', items, ...keywords };
}

/** An object whose keys are data. */
export function map<T>(
  values: Schema<T>,
  keywords: Keywords<'maxProperties' | 'minProperties' | 'x-kubernetes-validations'> = {},
): Schema<{ readonly [key: string]: T }> {
  return { type: 'object', additionalProperties: values, ...keywords };
}

type FieldSchemas = { readonly [name: string]: StructuralSchema };
type NoFields = Record<never, never>;
type Merged<T> = { [K in keyof T]: T[K] };
type ObjectValue<R, O> = Merged<
  { readonly [K in keyof R]: Infer<R[K]> } & { readonly [K in keyof O]?: Infer<O[K]> }
>;

interface Fields<R, O> {
  /** What every stored object has: a manifest must name it, unless it has a default. */
  readonly required?: R;
  readonly optional?: O;
  /** Fields that may be neither changed, nor added, nor removed once the object exists. */
  readonly immutable?: readonly Extract<keyof R | keyof O, string>[];
  /** Fields that may be filled in later, and neither changed nor removed from then on. */
  readonly setOnce?: readonly Extract<keyof O, string>[];
  readonly rules?: readonly ValidationRule[];
}

/** An object with known fields; the server prunes all others. */
export function object<R extends FieldSchemas = NoFields, O extends FieldSchemas = NoFields>(
  { required, optional, immutable = [], setOnce = [], rules = [] }: Fields<R, O>,
  keywords: Keywords<'maxProperties' | 'x-kubernetes-map-type'> = {},
): Schema<ObjectValue<R, O>> {
  const mandatory = Object.entries<StructuralSchema>(required ?? {})
    .filter(([, schema]) => schema.default === undefined)
    .map(([name]) => name);
  const validations = [
    ...immutable.map((name) => forbidChange(name, required !== undefined && name in required)),
    ...setOnce.map(forbidChangeOnceSet),
    ...rules,
  ];
  return {
    type: 'object',
    ...keywords,
    properties: { ...required, ...optional },
    ...(mandatory.length > 0 && { required: mandatory }),
    ...(validations.length > 0 && { 'x-kubernetes-validations': validations }),
  };
}

function forbidChange(name: string, alwaysThere: boolean): ValidationRule {
  const same = `self.${name} == oldSelf.${name}`;
  const sameOrAbsent = `has(self.${name}) == has(oldSelf.${name}) && (!has(self.${name}) || ${same})`;
  return {
    rule: alwaysThere ? same : sameOrAbsent,
    message: `${name} is immutable`,
    fieldPath: `.${name}`,
  };
}

function forbidChangeOnceSet(name: string): ValidationRule {
  return {
    rule: `!has(oldSelf.${name}) || (has(self.${name}) && self.${name} == oldSelf.${name})`,
    message: `${name} is immutable once it is set`,
    fieldPath: `.${name}`,
  };
}

/**
 * An object of somebody else's type `T`, kept whole: the fields of `known` are checked, any other is stored as it came,
 * so that a field added to Kubernetes tomorrow is not lost.
 */
export function preserved<T extends object>(
  known: StructuralSchema = { type: 'object' },
): Schema<T> {
  return { ...known, 'x-kubernetes-preserve-unknown-fields': true };
}

/** The value that the server fills in where a manifest has none. */
export function withDefault<T extends JsonValue>(schema: Schema<T>, value: NoInfer<T>): Schema<T> {
  return { ...schema, default: value };
}

/**
 * An object that the server makes of the defaults of its fields where a manifest has none.
 * They are spelled out: the server checks a default against the rules before it fills in those of the fields.
 */
export function withFieldDefaults<T>(schema: Schema<T>): Schema<T> {
  const defaults: [string, JsonValue][] = [];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (field.default !== undefined) defaults.push([name, field.default]);
  }
  return { ...schema, default: Object.fromEntries(defaults) };
}

/** Refuses another value once there is one; unlike `immutable`, the field may come later and may go. */
export function settledOnceSet<T>(schema: Schema<T>): Schema<T> {
  const rule = { rule: 'self == oldSelf', message: 'the value cannot be changed once it is set' };
  return { ...schema, 'x-kubernetes-validations': [rule] };
}

/** What `kubectl explain` prints. */
export function describe<T>(schema: Schema<T>, description: string | undefined): Schema<T> {
  return description === undefined ? schema : { ...schema, description };
}
