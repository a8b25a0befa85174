import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packTar, unpackTar } from './tar-archive.ts';

const path = fc.stringMatching(/^[a-z][a-z/]{0,40}[a-z]$/);

test('unpackTar() gives back what packTar() was given', () => {
  const files = fc.array(fc.record({ path, bytes: fc.uint8Array({ maxLength: 2000 }) }));
  fc.assert(
    fc.property(files, (given) => {
      const unpacked = unpackTar(packTar(given));
      expect(unpacked).toEqual(given.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) })));
    }),
  );
});

test('packTar() writes what tar reads', () => {
  const archive = packTar([{ path: 'etc/motd', bytes: Buffer.from('hello\n') }]);
  expect(execFileSync('tar', ['xOf', '-', 'etc/motd'], { input: archive }).toString()).toBe(
    'hello\n',
  );
});

test('packTar() refuses a path that does not fit', () => {
  const file = { path: 'x'.repeat(101), bytes: new Uint8Array() };
  expect(() => packTar([file])).toThrow('its path is too long');
});
