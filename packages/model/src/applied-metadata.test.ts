import { expect, test } from 'vitest';
import { appliedGeneration, appliedMetadata, applyMetadata } from './applied-metadata.ts';

const first = applyMetadata(
  { labels: { theirs: 'a' }, annotations: { 'their.note': 'b' } },
  { labels: { app: 'web', tier: 'front' }, annotations: { team: 'blue' }, generation: 3 },
);

test('applyMetadata() sets what is wanted next to what others have set', () => {
  expect(first.labels).toEqual({ theirs: 'a', app: 'web', tier: 'front' });
  expect(first.annotations).toMatchObject({ 'their.note': 'b', team: 'blue' });
});

test('applyMetadata() removes what it has set itself and is no longer wanted', () => {
  const second = applyMetadata(first, { labels: { app: 'shop' }, annotations: {} });
  expect(second.labels).toEqual({ theirs: 'a', app: 'shop' });
  expect(Object.keys(second.annotations)).toEqual(['their.note', appliedMetadata]);
});

test('applyMetadata() changes nothing the second time', () => {
  const wanted = { labels: { app: 'web' }, annotations: { team: 'blue' } };
  const once = applyMetadata(first, wanted);
  expect(applyMetadata(once, wanted)).toEqual(once);
});

test.each(['', 'null', '[]', '{"labels":{},"annotations":[7]}', '{'])(
  'applyMetadata() removes nothing for the sake of a record that reads "%s"',
  (record) => {
    const current = { labels: { app: 'web' }, annotations: { [appliedMetadata]: record } };
    const { labels } = applyMetadata(current, { labels: {}, annotations: {} });
    expect(labels).toEqual({ app: 'web' });
  },
);

test('appliedGeneration() is the one that was written down', () => {
  expect(appliedGeneration(first)).toBe(3);
  expect(appliedGeneration({})).toBeUndefined();
});
