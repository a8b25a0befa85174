import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A field of a Go struct as JSON sees it. */
export interface GoField {
  readonly jsonName: string;
  /** As Go's reflection prints it: `*int32`, `[]v1.Container`, `v1.PullPolicy`. */
  readonly type: string;
  readonly omit: '' | 'omitempty' | 'omitzero';
  /** The struct that brings the field, if it is not the one asked for. */
  readonly embedded?: string;
}

/** Where the source of a module is: `k8s.io/api` to a folder. */
export type ModuleFolders = Readonly<Record<string, string>>;

/**
 * Reads struct declarations from Go source. OpenAPI does not say whether a field is a pointer or whether it is left
 * out when it is empty, and both decide what the API server keeps of what it is sent.
 *
 * It understands gofmt-ed declarations with one field to the line, as all API types are written.
 */
export class GoStructs {
  readonly #modules: ModuleFolders;
  readonly #packages = new Map<string, GoPackage>();

  constructor(modules: ModuleFolders) {
    this.#modules = modules;
  }

  /** The fields of a struct with those of the structs it embeds; undefined if there is no such struct. */
  fieldsOf(importPath: string, typeName: string): GoField[] | undefined {
    const body = this.#package(importPath).structs.get(typeName);
    if (body === undefined) return undefined;
    return body.split('\n').flatMap((line) => this.#fieldsOfLine(importPath, line));
  }

  #fieldsOfLine(importPath: string, line: string): GoField[] {
    const match = /^\s*(?:(\w+)\s+)?(\S+)\s+`json:"([^"]*)"/.exec(line);
    if (!match) return [];
    const [, , declared = '', tag = ''] = match;
    const [jsonName = '', ...options] = tag.split(',');
    if (options.includes('inline')) return this.#embeddedFields(importPath, declared);
    if (jsonName === '-' || jsonName === '') return [];
    return [{ jsonName, type: this.#printedType(importPath, declared), omit: omission(options) }];
  }

  #embeddedFields(importPath: string, declared: string): GoField[] {
    const [qualifier, name] = splitQualified(declared.replace('*', ''));
    const home = qualifier === '' ? importPath : this.#package(importPath).imports.get(qualifier);
    const fields = home ? this.fieldsOf(home, name) : undefined;
    return (fields ?? []).map((field) => ({ ...field, embedded: name }));
  }

  #printedType(importPath: string, declared: string): string {
    const source = this.#package(importPath);
    return declared.replace(/(?:(\w+)\.)?\b([A-Za-z]\w*)/g, (text, qualifier, name) => {
      if (qualifier) return `${packageName(source.imports.get(qualifier) ?? qualifier)}.${name}`;
      if (!/^[A-Z]/.test(name)) return text;
      return `${packageName(importPath)}.${source.aliases.get(name) ?? name}`;
    });
  }

  #package(importPath: string): GoPackage {
    const known = this.#packages.get(importPath);
    if (known) return known;
    const read = readPackage(this.#folderOf(importPath));
    this.#packages.set(importPath, read);
    return read;
  }

  #folderOf(importPath: string): string {
    for (const [module, folder] of Object.entries(this.#modules)) {
      if (importPath.startsWith(`${module}/`)) return join(folder, importPath.slice(module.length));
    }
    throw new Error(`Cannot find package "${importPath}": none of the modules holds it`);
  }
}

interface GoPackage {
  /** Struct name to the lines between its braces. */
  readonly structs: ReadonlyMap<string, string>;
  readonly aliases: ReadonlyMap<string, string>;
  /** Name in the source to import path. */
  readonly imports: ReadonlyMap<string, string>;
}

function readPackage(folder: string): GoPackage {
  const files = readdirSync(folder).filter((name) =>
    /^types.*\.go$|^(?!zz_|generated).*types\.go$/.test(name),
  );
  const source = files
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  return {
    structs: collect(source, /^type (\w+) struct \{\n(.*?)^\}/gms),
    aliases: collect(source, /^type (\w+) = (\w+)$/gm),
    imports: collect(source, /^\s*(?:(\w+) )?"([\w./-]+)"$/gm),
  };
}

/** Two groups of every match; an import without a name of its own goes by the end of its path. */
function collect(source: string, pattern: RegExp): Map<string, string> {
  return new Map(
    [...source.matchAll(pattern)].map(([, name, text = '']) => [name ?? packageName(text), text]),
  );
}

function packageName(importPath: string): string {
  return importPath.slice(importPath.lastIndexOf('/') + 1);
}

function splitQualified(type: string): [qualifier: string, name: string] {
  const dot = type.indexOf('.');
  return dot < 0 ? ['', type] : [type.slice(0, dot), type.slice(dot + 1)];
}

function omission(options: readonly string[]): GoField['omit'] {
  if (options.includes('omitzero')) return 'omitzero';
  return options.includes('omitempty') ? 'omitempty' : '';
}
