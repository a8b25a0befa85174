import type { Invocation } from './command.ts';
import type { FlagTable } from './flags/flag.ts';
import { UserError } from './user-error.ts';

interface Question {
  /** `unoffload shop`. */
  readonly doing: string;
  /** What will be lost. */
  readonly warning: string;
}

/** Asks before something is removed. Where there is nobody to ask, the answer is no. */
export async function confirm(
  { around, signal }: Pick<Invocation<FlagTable>, 'around' | 'signal'>,
  { doing, warning }: Question,
): Promise<void> {
  if (!around.ask) {
    const hint = 'Run it in a terminal, or add --skip-confirm';
    const message = `Cannot ${doing}: it removes things, and there is nobody to ask`;
    throw new UserError(message, { hint, blame: 'usage' });
  }
  const answer = await around.ask(`${warning} Go on? [y/N] `, signal);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new UserError(`Nothing was changed: you did not say yes`, {
    hint: 'Run it again and answer "y", or add --skip-confirm',
  });
}
