import type { Invocation } from './command.ts';
import type { FlagTable } from './flags/flag.ts';
import type { skipConfirmFlag } from './flags/shared-flags.ts';
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

/**
 * Asks at a terminal before a command removes what Liqo v1.2 removes without asking. Without a terminal it goes
 * on, so that scripts written for Liqo work.
 */
export async function confirmAtTerminal(
  call: Pick<Invocation<typeof skipConfirmFlag>, 'around' | 'flags' | 'signal'>,
  question: Question,
): Promise<void> {
  if (!call.flags['skip-confirm'] && call.around.ask) await confirm(call, question);
}
