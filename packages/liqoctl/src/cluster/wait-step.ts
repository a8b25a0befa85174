import type { Client, Clock } from '@liqo/kube';
import { explainAt } from '../explain.ts';
import { formatElapsed } from '../output/format-elapsed.ts';
import type { Step, StepReport } from '../output/progress.ts';
import { UserError } from '../user-error.ts';
import { type Look, NotInTimeError, RefusedError, waitUntil } from './wait-until.ts';
import { whyUnattended } from './why-unattended.ts';

/** `doing` begins with "Waiting": `Waiting for the Node "mynode" to be Ready`. */
export interface Wait<T> extends Step<T> {
  readonly timeoutMs: number;
  readonly look: (signal: AbortSignal) => Promise<Look<T>>;
  /** What to do when it takes too long although the controllers of Liqo run. */
  readonly hint: string;
}

interface WaitContext {
  readonly progress: StepReport;
  readonly around: { readonly clock: Clock };
  readonly signal: AbortSignal;
}

/**
 * A step that waits for the controllers of Liqo. It fails at once where they are not installed. When it takes too long, the
 * error says what was last waited for.
 */
export async function waitStep<T>(
  { progress, around, signal }: WaitContext,
  client: Client,
  { timeoutMs, look, hint, ...step }: Wait<T>,
): Promise<T> {
  const { clock } = around;
  const verb = step.doing.replace(/^Waiting/, 'wait');
  let isInstalled = false;
  const lookWhereInstalled = async (stop: AbortSignal) => {
    const seen = await look(stop);
    if ('done' in seen || isInstalled) return seen;
    const unattended = await whyUnattended(client, stop);
    if (unattended && !unattended.isInstalled) {
      throw new UserError(`Cannot ${verb}: ${unattended.why}`, { hint: unattended.hint });
    }
    isInstalled = true;
    return seen;
  };
  const wait = (tell: (why: string) => void) =>
    waitUntil(lookWhereInstalled, { clock, timeoutMs, tell, signal }).catch(
      async (error: unknown) => {
        if (error instanceof RefusedError) {
          throw new UserError(`Cannot ${verb}: ${error.message}`, { hint, cause: error });
        }
        if (!(error instanceof NotInTimeError)) throw error;
        const unattended = await whyUnattended(client, signal).catch(() => undefined);
        const why = unattended?.why ?? error.message;
        const message = `Cannot ${verb} any longer than ${formatElapsed(timeoutMs)}: ${why}`;
        throw new UserError(message, { hint: unattended?.hint ?? hint, cause: error });
      },
    );
  return progress.step(step, (tell) =>
    wait(tell).catch((error: unknown) => {
      throw explainAt(step.where ?? 'local', verb, error);
    }),
  );
}
