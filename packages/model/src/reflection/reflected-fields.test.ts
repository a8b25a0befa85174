import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reflectedFieldsPage, renderReflectedFieldsPage } from '../../bin/reflected-fields-page.ts';

const repository = join(import.meta.dirname, '../../../..');

test('the published page is what the plans leave out of a copy', () => {
  expect(readFileSync(reflectedFieldsPage, 'utf8'), 'Stale: run `npm run pod-fields`').toBe(
    renderReflectedFieldsPage(),
  );
});

describe('the recipe "Add a reflected kind"', () => {
  const text = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8');
  const [, recipe = ''] = /## Add a reflected kind\n(.*?)\n## /s.exec(text) ?? [];
  const files = [...recipe.matchAll(/^\d\. `([^`]+)`/gm)].map(([, file = '']) => file);

  test('is four files', () => {
    expect(files).toHaveLength(4);
  });

  test.each(['config-map', 'secret', 'service', 'endpoint-slice', 'ingress'])(
    'names the files of %s',
    (kind) => {
      for (const file of files) {
        const path = join(repository, file.replace('<kind>', kind));
        expect(existsSync(path), path).toBe(true);
      }
    },
  );
});
