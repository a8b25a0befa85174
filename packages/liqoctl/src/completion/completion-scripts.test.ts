import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { completionScripts } from './completion-scripts.ts';

/** Presses the key: bash with the script, and a liqoctl that offers these if it is asked for the last of the words. */
function completeInBash(words: string, candidates: string): string[] {
  const script = `
    liqoctl() { [ "$*" = "__complete \${WORDS} " ] && printf '%b' "$CANDIDATES"; }
    ${completionScripts.bash}
    COMP_WORDS=(liqoctl ${words} ""); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _liqoctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { ...process.env, WORDS: words, CANDIDATES: candidates };
  const output = execFileSync('bash', ['-c', script], { env, encoding: 'utf8', stdio: 'pipe' });
  return output.split('\n').filter((candidate) => candidate !== '');
}

test('the completion of bash offers what liqoctl says', () => {
  expect(completeInBash('get', 'virtualnode\\n')).toEqual(['virtualnode']);
  expect(completeInBash('delete vn', 'a\\nb\\n')).toEqual(['a', 'b']);
  expect(completeInBash('nope', '')).toEqual([]);
});

test('the completion of fish offers files only where liqoctl has nothing to offer', () => {
  expect(completionScripts.fish).toMatch(/^complete -c liqoctl -f -a /m);
  expect(completionScripts.fish).toMatch(/else\n +__fish_complete_path /);
});

test.each(Object.entries(completionScripts))('the completion of %s asks liqoctl', (_, script) => {
  expect(script).toContain('liqoctl __complete ');
  expect(script.endsWith('\n')).toBe(true);
});
