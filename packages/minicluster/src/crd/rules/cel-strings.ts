import type { Environment } from '@marcbachmann/cel-js';
import { compilePattern } from '../pattern.ts';
import { celFault } from './cel-fault.ts';
import { formatText } from './format-text.ts';

/** The functions of texts that the language itself does not have. */
export function registerStrings(environment: Environment): void {
  environment
    .registerFunction('string.replace(string, string): string', (text, what, by) =>
      text.replaceAll(what, () => by),
    )
    .registerFunction('string.replace(string, string, int): string', replaceSome)
    .registerFunction('string.charAt(int): string', charAt)
    .registerFunction('matches(string, string): bool', (text, pattern) =>
      compilePattern(pattern).test(text),
    )
    .registerFunction('string.format(list): string', formatText)
    .registerFunction(
      'string.find(string): string',
      (text, pattern) => find(text, pattern)[0] ?? '',
    )
    .registerFunction('string.findAll(string): list<string>', find);
}

function replaceSome(text: string, what: string, by: string, limit: bigint): string {
  const parts = text.split(what);
  const count = limit < 0n ? parts.length - 1 : Math.min(Number(limit), parts.length - 1);
  const rest = parts.slice(count + 1);
  return [parts.slice(0, count + 1).join(by), ...rest].join(what);
}

function charAt(text: string, index: bigint): string {
  const characters = [...text];
  if (index >= 0n && index <= BigInt(characters.length)) return characters[Number(index)] ?? '';
  throw celFault(`index out of range: ${index}`);
}

function find(text: string, pattern: string): string[] {
  const { source, flags } = compilePattern(pattern);
  return [...text.matchAll(new RegExp(source, `${flags}g`))].map(([match]) => match);
}
