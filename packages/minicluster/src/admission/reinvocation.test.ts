import { expect, test } from 'vitest';
import { Reinvocation } from './reinvocation.ts';

const before = { metadata: { name: 'one' } };
const after = { metadata: { name: 'one', labels: { a: 'b' } } };

/** A first round in which these webhooks are called; `changes` are those that change the object. */
function firstRound(webhooks: readonly string[], changes: readonly string[]): Reinvocation {
  const reinvocation = new Reinvocation();
  reinvocation.beginWebhooks(before);
  for (const webhook of webhooks) {
    if (changes.includes(webhook)) reinvocation.noteChange();
    reinvocation.noteReinvocable(webhook);
  }
  reinvocation.endWebhooks(after);
  return reinvocation;
}

test('Reinvocation has no second round when no webhook changed anything', () => {
  expect(firstRound(['a', 'b'], []).beginSecondRound()).toBe(false);
});

test('Reinvocation calls those again whom a later webhook overtook, and nobody else', () => {
  const reinvocation = firstRound(['a', 'b', 'c'], ['b']);
  expect(reinvocation.beginSecondRound()).toBe(true);
  reinvocation.beginWebhooks(after);
  expect(['a', 'b', 'c', 'new'].filter((one) => reinvocation.mayCall(one))).toEqual(['a']);
});

test('Reinvocation calls all again when a plugin changed what they had agreed on', () => {
  const reinvocation = firstRound(['a', 'b'], ['b']);
  reinvocation.beginSecondRound();
  reinvocation.beginWebhooks(before);
  expect(['a', 'b', 'new'].filter((one) => reinvocation.mayCall(one))).toEqual(['a', 'b']);
});

test('Reinvocation lets everybody be called in the first round', () => {
  expect(new Reinvocation().mayCall('a')).toBe(true);
});
