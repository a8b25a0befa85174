import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dump } from 'js-yaml';
import { allKinds } from '../src/all-kinds.ts';
import { forgeCustomResourceDefinition } from '../src/custom-resource-definition.ts';

export const crdFolder = fileURLToPath(new URL('../../../charts/liqo/crds', import.meta.url));

const header = '# Generated from packages/api: change the kind there, then run `npm run crds`.\n';

/** The content of every file that belongs into the folder of CRDs, by file name. */
export function renderCrdFiles(): ReadonlyMap<string, string> {
  return new Map(
    allKinds.map((kind) => [
      `${kind.group}_${kind.plural}.yaml`,
      header + dump(forgeCustomResourceDefinition(kind), { noRefs: true, lineWidth: 120 }),
    ]),
  );
}

/** The names of the files that are missing, outdated, or of a kind that is no more. */
export function findStaleCrdFiles(folder: string): string[] {
  const wanted = renderCrdFiles();
  const present = new Map(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  const names = new Set([...wanted.keys(), ...present.keys()]);
  return [...names].filter((name) => wanted.get(name) !== present.get(name)).sort();
}
