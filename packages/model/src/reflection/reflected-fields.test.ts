import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

  const sources = ['api', 'controllers', 'liqo', 'manifests', 'model', 'virtual-kubelet']
    .flatMap((name) => ['src', 'bin'].map((folder) => `packages/${name}/${folder}`))
    .filter((folder) => existsSync(join(repository, folder)))
    .flatMap((folder) =>
      readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

  test.each([
    ['config-map', 'planConfigMap', 'ConfigMap'],
    ['secret', 'planSecret', 'Secret'],
    ['service', 'planService', 'Service'],
    ['ingress', 'planIngress', 'Ingress'],
  ])('is all that there is of %s', (file, plan, kind) => {
    const using = sources.filter((path) =>
      new RegExp(`\\b${plan}\\b`).test(readFileSync(join(repository, path), 'utf8')),
    );
    const [first = '', second = '', third = '', fourth = ''] = files;
    expect(using.sort()).toEqual([first.replace('<kind>', file), second, third].sort());
    expect(readFileSync(join(repository, fourth), 'utf8')).toContain(`| ${kind} |`);
  });
});
