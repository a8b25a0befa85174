import { expect, test } from 'vitest';
import { renderBoxes } from './render-boxes.ts';

test('renderBoxes() draws the boxes of the recorded session', () => {
  const drawn = renderBoxes([
    {
      title: 'Active peerings',
      rows: [
        {
          heading: 'milan',
          rows: [
            ['Role', 'Provider'],
            ['Authentication status', 'Healthy'],
          ],
        },
      ],
    },
  ]);
  expect(drawn).toBe(
    `┌─ Active peerings ────────────────────────────────────────────────────────────────┐
|  milan                                                                           |
|      Role:                  Provider                                             |
|      Authentication status: Healthy                                              |
└──────────────────────────────────────────────────────────────────────────────────┘
`,
  );
});

test('renderBoxes() widens all boxes for the longest line', () => {
  const drawn = renderBoxes([
    { title: 'a', rows: ['x'.repeat(100)] },
    { title: 'b', rows: [] },
  ]);
  expect(
    new Set(
      drawn
        .trimEnd()
        .split('\n')
        .map((line) => line.length),
    ).size,
  ).toBe(1);
});
