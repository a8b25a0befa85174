/**
 * Lets Node 20 read TypeScript: `node --import ./load-typescript.mjs <program>`. What was translated is kept in the
 * folder for temporary files; where nothing can be written, nothing is kept, and the program says for itself what it needs.
 */
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function canWriteTo(folder) {
  try {
    rmdirSync(mkdtempSync(join(folder, 'liqo-')));
    return true;
  } catch {
    return false;
  }
}

if (!canWriteTo(tmpdir())) process.env.TSX_DISABLE_CACHE = '1';
const { register } = await import('tsx/esm/api');
register();
