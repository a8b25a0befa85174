import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cliPage, renderCliPage } from '../bin/cli-page.ts';
import { commands } from './commands.ts';

test('the page about liqoctl is what its commands say', () => {
  expect(readFileSync(cliPage, 'utf8'), 'Stale: run `npm run cli`').toBe(renderCliPage());
});

test.each(commands)('the page about liqoctl has all of $path', ({ path, flags, examples }) => {
  const [, section = ''] = renderCliPage().split(`\n## liqoctl ${path.join(' ')}\n`);
  for (const example of examples) expect(section).toContain(`\`${example}\``);
  for (const name of Object.keys(flags)) expect(renderCliPage()).toContain(`--${name}`);
});
