import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { liqoImage } from '@liqo/images';
import { expect, test } from 'vitest';

const dockerfile = readFileSync(join(import.meta.dirname, 'Dockerfile'), 'utf8');

/** The arguments of an instruction in the last stage. */
function argumentsOf(instruction: string): readonly string[] {
  const lines = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ')).split('\n');
  return lines.flatMap((line) => {
    const [word, ...rest] = line.split(' ');
    return word === instruction ? [rest.join(' ')] : [];
  });
}

test('the Dockerfile starts its image as the image of "npm run image" starts', async () => {
  const { config } = await liqoImage({ bundle: import.meta.filename });
  const { entrypoint, env = {}, user } = config;
  expect(Object.keys(config).sort()).toEqual(['entrypoint', 'env', 'user']);
  expect(argumentsOf('ENTRYPOINT').map((text) => JSON.parse(text))).toEqual([entrypoint]);
  expect(argumentsOf('USER')).toEqual([user]);
  expect(argumentsOf('ENV')).toEqual(Object.entries(env).map((pair) => pair.join('=')));
});

test('the Dockerfile takes its files from the folder that the build stage packs, and from nowhere else', () => {
  expect(argumentsOf('FROM')).toEqual(['scratch']);
  expect(argumentsOf('COPY')).toEqual(['--from=build /image/ /']);
  expect(argumentsOf('RUN')).toEqual([]);
  expect(dockerfile).toContain('packages/images/bin/pack.ts liqo /image --bundle dist/liqo.mjs');
});
