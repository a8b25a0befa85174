import { dateTime, object, string } from '../schema.ts';

/** Whether a configuration has reached one host. */
export const hostCondition = object({
  required: {
    host: string(),
    type: string<'Applied' | 'Error'>(),
    status: string<'True' | 'False' | 'Unknown'>(),
  },
  optional: { lastTransitionTime: dateTime() },
});
