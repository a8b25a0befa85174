import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { forgePauseProgram } from './pause-program.ts';

/** Each was run, the one for the other processor in an emulator that shows its calls: a change has to be run again. */
test.each([
  ['amd64', 316, '9a895d321f284a4e'],
  ['arm64', 372, '129b2f723e38114b'],
] as const)(
  'forgePauseProgram() writes the program for %s that was tried',
  (architecture, size, digest) => {
    const program = forgePauseProgram(architecture);
    expect(program).toHaveLength(size);
    expect(createHash('sha256').update(program).digest('hex').slice(0, 16)).toBe(digest);
  },
);
