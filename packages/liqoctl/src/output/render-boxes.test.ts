import { describe, expect, test } from 'vitest';
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

describe('renderBoxes() for a terminal of 40 columns', () => {
  const boxes = [
    {
      title: 'A title that is longer than such a terminal is wide',
      rows: [
        ['K8s API server', 'https://example.org:6443/a/very/long/path'] as const,
        { heading: 'milan', rows: ['one two three four five six seven eight'] },
      ],
    },
    { title: 'b', rows: ['short'] },
  ];

  test('draws lines of that width, and no wider', () => {
    const lines = renderBoxes(boxes, 40).trimEnd().split('\n');
    expect(lines.map((line) => line.length)).toEqual(lines.map(() => 40));
  });

  test('keeps all words, and indents those that follow', () => {
    const drawn = renderBoxes(boxes, 40);
    expect(drawn).toContain(
      '|      one two three four five six     |\n|        seven eight                   |',
    );
    const text = drawn.replaceAll(/[|\s]/g, '');
    expect(text).toContain('K8sAPIserver:https://example.org:6443/a/very/long/path');
    expect(drawn).toMatch(/^┌─ A title that is longer than such… ─+┐\n/);
  });

  test('ends with every word drawn, however narrow the terminal is', () => {
    const deep = [
      { title: 'x', rows: [{ heading: 'y', rows: [`${' '.repeat(30)}${'z'.repeat(50)}`] }] },
    ];
    const drawn = renderBoxes(deep, 1);
    expect(drawn.match(/z/g)).toHaveLength(50);
  });

  test('draws as ever when the terminal does not say how wide it is', () => {
    expect(renderBoxes(boxes, 0)).toBe(renderBoxes(boxes));
  });
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
