import { afterAll, describe, expect, test } from 'vitest';
import { NpmStart } from './npm-start.ts';

/** `npm start` works and leaves nothing behind, so many times in a row. */
export function repeatedStarts(starts: number): void {
  describe(`npm start, ${starts} times in a row`, () => {
    const npm = new NpmStart();
    afterAll(() => npm[Symbol.dispose]());

    test('with --once ends well, and leaves nothing', async () => {
      const seconds: number[] = [];
      for (let i = 0; i < starts; i++) {
        const { stdout, ...ended } = await npm.run(['--once']);
        expect(ended).toEqual({ code: 0, stderr: '', left: [] });
        seconds.push(Number(/All of it runs, (\S+) s/.exec(stdout)?.[1]));
      }
      report(seconds);
    }, 1_200_000);

    test('and Ctrl-C ends well, and leaves nothing', async () => {
      for (let i = 0; i < starts; i++) {
        const { stdout, ...ended } = await npm.run([], { moment: 'Ctrl-C removes everything' });
        // npm gets the key as well, and ends by it once its script has ended by itself.
        expect(ended).toEqual({ code: 'SIGINT', stderr: '', left: [] });
        expect(stdout).toContain('Everything is removed');
      }
    }, 1_200_000);
  });
}

function report(seconds: readonly number[]): void {
  const sorted = seconds.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  process.stdout.write(`All of it runs after ${median} s (median), ${sorted.at(-1)} s (worst)\n`);
}
