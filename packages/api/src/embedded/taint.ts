import { dateTime, object, string, stringEnum } from '../schema.ts';

export const taint = object({
  required: {
    key: string(),
    effect: stringEnum('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
  },
  optional: { value: string(), timeAdded: dateTime() },
});
