import { expect, test } from 'vitest';
import { oneParagraph } from './one-paragraph.ts';

test('oneParagraph() lets text neither break lines nor play with the terminal', () => {
  expect(oneParagraph(' a\n\tb\u001b[31mc\u001b[0m\u0007 ')).toBe('a bc');
});
