import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PlayOptions, playHere } from './testing/play-here.ts';

/** What is typed after `npm start --` (`F` is a folder with things in it), the exit code, and what the answer says. */
const wrong: readonly (readonly [string, 1 | 2, RegExp])[] = [
  // Flags that there are not.
  ['--onec', 2, /unknown flag "--onec"/],
  ['--one', 2, /unknown flag "--one"/],
  ['--ONCE', 2, /unknown flag "--ONCE"/],
  ['--cluster 3', 2, /unknown flag "--cluster"; "3" is not a flag/],
  ['--cluster=3', 2, /unknown flag "--cluster"/],
  ['--no-once', 2, /unknown flag "--no-once"/],
  ['--version', 2, /unknown flag "--version"/],
  ['--kubeconfig F', 2, /unknown flag "--kubeconfig"/],
  ['--__proto__', 2, /unknown flag "--__proto__"/],
  ['-x', 2, /unknown flag "-x"/],
  ['-o', 2, /unknown flag "-o"/],
  ['-hx', 2, /unknown flag "-x"/],
  // Words.
  ['start', 2, /"start" is not a flag/],
  ['once', 2, /"once" is not a flag/],
  ['rome milan', 2, /"rome" is not a flag; "milan" is not a flag/],
  ['-', 2, /"-" is not a flag/],
  ['-- --once', 2, /"--once" is not a flag/],
  ['--once yes', 2, /"yes" is not a flag/],
  ['--help me', 2, /"me" is not a flag/],
  // Values.
  ['--once=yes', 2, /"--once" takes no value/],
  ['--once=', 2, /"--once" takes no value/],
  ['--help=flags', 2, /"--help" takes no value/],
  ['--clusters', 2, /"--clusters" needs a value/],
  ['--clusters --once', 2, /"--clusters" needs a value/],
  ['--clusters=', 2, /"--clusters " is not a number from 2 to 8/],
  ['--clusters 0', 2, /"--clusters 0" is not a number from 2 to 8/],
  ['--clusters 1', 2, /"--clusters 1" is not a number/],
  ['--clusters 9', 2, /"--clusters 9" is not a number/],
  ['--clusters 99', 2, /"--clusters 99" is not a number/],
  ['--clusters=-3', 2, /"--clusters -3" is not a number/],
  ['--clusters 2.5', 2, /"--clusters 2\.5" is not a number/],
  ['--clusters 0x3', 2, /"--clusters 0x3" is not a number/],
  ['--clusters two', 2, /"--clusters two" is not a number/],
  ['--clusters ٣', 2, /is not a number/],
  ['--kubernetes', 2, /"--kubernetes" needs a value/],
  ['--kubernetes nonsense', 2, /"--kubernetes nonsense" is neither "embedded" nor "real"/],
  ['--kubernetes Real', 2, /"--kubernetes Real" is neither/],
  ['--kubernetes=', 2, /"--kubernetes " is neither/],
  ['--dir', 2, /"--dir" needs a value/],
  ['--dir --once', 2, /"--dir" needs a value/],
  ['--dir=', 2, /"--dir" is empty/],
  // Twice, and all at once.
  ['--once --once', 2, /"--once" is given twice/],
  ['--clusters 2 --clusters 3', 2, /"--clusters" is given twice/],
  ['--dir F/a --dir F/b', 2, /"--dir" is given twice/],
  ['--kubernetes real --kubernetes real', 2, /"--kubernetes" is given twice/],
  ['--onec --clusters 99 now', 2, /"--onec"; "now" is not a flag; "--clusters 99" is not/],
  // Folders.
  ['--dir F/file', 1, /"F\/file": it is not a folder, or a part of its path is not/],
  ['--dir F/file/below', 1, /it is not a folder, or a part of its path is not/],
  ['--dir F/taken', 1, /"F\/taken\/milan\.kubeconfig": it is there already, and not ours/],
  ['--dir F/other/../taken', 1, /it is there already, and not ours/],
  ['--clusters 3 --dir F/third', 1, /turin\.kubeconfig": it is there already, and not ours/],
  ['--dir F/nowhere', 1, /Cannot use the folder "F\/nowhere"/],
  ['--dir F/loop', 1, /Cannot use the folder "F\/loop"/],
  ['--dir /proc/none', 1, /"\/proc\/none": no folder can be made there/],
  ['--dir /dev/null', 1, /"\/dev\/null": it is not a folder/],
];

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wrong-'));
  writeFileSync(join(folder, 'file'), 'mine');
  for (const [name, cluster] of [
    ['taken', 'milan'],
    ['third', 'turin'],
  ] as const) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, `${cluster}.kubeconfig`), 'mine');
  }
  symlinkSync('/nonexistent/folder', join(folder, 'nowhere'));
  symlinkSync('loop', join(folder, 'loop'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const nothing: PlayOptions['provide'] = () => Promise.reject(new Error('Nothing is to be started'));

function listAll(): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
}

/** One paragraph: what cannot be done and why, then what to do. */
const paragraph = /^✖ Cannot [^\n]+\. (See|Choose|Move|Put|Run|Or) [^\n]+\n$/;
const insides = /\n\s+at |undefined|\[object|node:|Error:/;

describe('npm start refuses in one paragraph, and makes nothing:', () => {
  test.each(wrong)('%s', async (line, code, says) => {
    const before = listAll();
    const args = line.split(' ').map((word) => word.replace(/^F/, folder));
    const { exitCode, stdout, stderr, files, timers } = await playHere(args, { provide: nothing });
    expect({ exitCode, stdout, files, timers }).toEqual({
      exitCode: code,
      stdout: '',
      files: [],
      timers: 0,
    });
    expect(stderr).toMatch(paragraph);
    expect(stderr).not.toMatch(insides);
    expect(stderr.replaceAll(folder, 'F')).toMatch(says);
    expect(listAll()).toEqual(before);
  });
});
