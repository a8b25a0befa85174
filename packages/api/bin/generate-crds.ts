import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crdFolder, findStaleCrdFiles, renderCrdFiles } from './crd-files.ts';

/** Brings the folder of CRDs up to date, or with `--check` only says what is not. */
function main(): void {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  mkdirSync(crdFolder, { recursive: true });
  const stale = findStaleCrdFiles(crdFolder);
  if (values.check) report(stale);
  else update(stale);
}

function update(stale: readonly string[]): void {
  const files = renderCrdFiles();
  for (const name of stale) write(name, files.get(name));
  process.stdout.write(`Updated ${stale.length} of ${files.size} CRDs\n`);
}

function write(name: string, content: string | undefined): void {
  const path = join(crdFolder, name);
  if (content === undefined) rmSync(path);
  else writeFileSync(path, content);
}

function report(stale: readonly string[]): void {
  if (stale.length === 0) return;
  process.stderr.write(`Stale CRDs, run \`npm run crds\`:\n  ${stale.join('\n  ')}\n`);
  process.exitCode = 1;
}

main();
