import type { Output, Surroundings } from '../surroundings.ts';

const codes = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const;

type Colour = keyof typeof codes;
export type Paint = (colour: Colour, text: string) => string;

/** Colours are for terminals, and for people who have not said https://no-color.org to them. */
export function painter(output: Output, env: Surroundings['env']): Paint {
  const isPlain = !output.isTerminal || Boolean(env.NO_COLOR) || env.TERM === 'dumb';
  return isPlain ? (_, text) => text : (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[0m`;
}
