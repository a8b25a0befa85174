import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadablePart } from './loadable-part.ts';
import { forgePauseProgram } from './pause-program.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadable-part-'));
  path = join(folder, 'program');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('loadablePart() ends with the last segment, and with no word of what was behind it', async () => {
  const program = forgePauseProgram('amd64');
  const withSymbols = Buffer.concat([program, Buffer.from('symbols')]);
  withSymbols.writeBigUInt64LE(BigInt(program.length), 40);
  withSymbols.writeUInt16LE(3, 60);
  writeFileSync(path, withSymbols);
  expect(await loadablePart(path)).toEqual([
    program.subarray(0, 64),
    { file: path, start: 64, size: program.length - 64 },
  ]);
});

test('loadablePart() refuses what is not a program', async () => {
  writeFileSync(path, '#!/bin/sh\n');
  await expect(loadablePart(path)).rejects.toThrow('it is not a 64-bit Linux program');
});
