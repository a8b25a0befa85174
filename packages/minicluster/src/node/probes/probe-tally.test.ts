import { expect, test } from 'vitest';
import { ProbeTally } from './probe-tally.ts';

test('ProbeTally changes its mind only after enough answers in a row', () => {
  const tally = new ProbeTally({ failureThreshold: 2, successThreshold: 3 });
  const answers = 'sffsfsssf'.split('').map((one) => (one === 's' ? 'success' : 'failure'));
  const verdicts = answers.map((answer) => tally.count(answer as 'failure' | 'success'));
  expect(verdicts.map((verdict) => verdict?.[0] ?? '-').join('')).toBe('--f----s-');
});
