import { conversionFault, type GoKind } from './conversion-fault.ts';
import { DecodeError } from './decode-error.ts';
import { jsonTypeOf } from './go-type.ts';

/**
 * How a value becomes an object: the body of a request is read as JSON; what comes of a strategic merge patch, or of an
 * apply, is converted from a generic map, which has other words for the same complaints and sorts the unknown fields.
 */
export type DecodeSource = 'body' | 'strategic-merge';

/** A field, a place in a list, or a key of a map. */
type Step = FieldStep | number | string;

export interface FieldStep {
  readonly name: string;
  /** The embedded struct that it comes from. */
  readonly embedded: string | undefined;
}

/** A walk over one value of a built-in type: where it is, and what it has to say of what it finds there. */
export class DecodeWalk {
  readonly unknownFields: string[] = [];
  readonly source: DecodeSource;
  /** Protobuf, the form in which most kinds are stored, does not know an empty list from none. */
  readonly keepsEmptyLists: boolean;
  readonly path: Step[] = [];
  readonly structs: string[] = [];

  constructor(source: DecodeSource, keepsEmptyLists = false) {
    this.source = source;
    this.keepsEmptyLists = keepsEmptyLists;
  }

  tellUnknown(field: string): void {
    this.unknownFields.push(printPath([...this.path, { name: field, embedded: undefined }]));
  }

  refuse(value: unknown, goType: string, kind: GoKind): never {
    if (this.source === 'strategic-merge')
      throw new DecodeError(conversionFault(value, goType, kind));
    const number = kind === 'integer' && typeof value === 'number' ? ` ${value}` : '';
    throw this.#unmarshalFault(jsonTypeOf(value) + number, goType);
  }

  refuseSpecial(jsonType: string, goType: string): never {
    if (this.source === 'body') throw this.#unmarshalFault(jsonType, goType);
    throw new DecodeError(`json: cannot unmarshal ${jsonType} into Go value of type ${goType}`);
  }

  /** Go names fields only, embedded ones too: neither the place in a list nor the key in a map is part of its path. */
  #unmarshalFault(jsonType: string, goType: string): DecodeError {
    const struct = this.structs.at(-1);
    const path = this.#fieldPath();
    const place = struct === undefined ? 'value' : `struct field ${struct}.${path}`;
    return new DecodeError(`json: cannot unmarshal ${jsonType} into Go ${place} of type ${goType}`);
  }

  #fieldPath(): string {
    const names = this.path.flatMap((step) => {
      if (typeof step !== 'object') return [];
      return step.embedded === undefined ? [step.name] : [step.embedded, step.name];
    });
    return names.join('.');
  }
}

/** `spec.containers[0].name`. */
function printPath(path: readonly Step[]): string {
  const printed = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return `.${typeof step === 'string' ? step : step.name}`;
  });
  return printed.join('').replace(/^\./, '');
}
