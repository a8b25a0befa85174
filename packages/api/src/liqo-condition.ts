import { dateTime, object, type Schema, string } from './schema.ts';

/** The conditions of Liqo's own kinds: their status is a word of the kind, not True, False or Unknown. */
export function liqoCondition<Type extends string, Status extends string>(
  type: Schema<Type>,
  status: Schema<Status>,
) {
  return object({
    required: { type, status },
    optional: { lastTransitionTime: dateTime(), reason: string(), message: string() },
  });
}
