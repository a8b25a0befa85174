import { goKindOf } from './go-type.ts';

/** What a value should have been. */
export type GoKind = 'boolean' | 'integer' | 'map' | 'number' | 'slice' | 'string' | 'struct';

const scalarKinds: Readonly<Record<string, string>> = {
  boolean: 'bool',
  number: 'float64',
  string: 'string',
};

/** How the conversion from a generic map complains. Go can convert numbers to strings, but here it must not. */
export function conversionFault(value: unknown, goType: string, kind: GoKind): string {
  const given = goKindOf(value);
  if (kind === 'struct') return `cannot restore struct from: ${given}`;
  if (kind === 'map' || kind === 'slice') return `cannot restore ${kind} from ${given}`;
  const isConvertible =
    (given === 'int64' && kind === 'string') || (given === 'float64' && kind === 'integer');
  if (isConvertible) return `cannot convert ${given} to ${goType}`;
  return `unrecognized type: ${scalarKinds[kind] ?? goType}`;
}
