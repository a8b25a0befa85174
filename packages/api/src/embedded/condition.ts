import { dateTime, integer, object, string, stringEnum } from '../schema.ts';

/** A condition as Kubernetes' API conventions lay it down, with the types that a kind uses. */
export function condition<Type extends string>() {
  return object({
    required: {
      type: string<Type>({
        maxLength: 316,
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      }),
      status: stringEnum('True', 'False', 'Unknown'),
      lastTransitionTime: dateTime(),
      reason: string({
        minLength: 1,
        maxLength: 1024,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      }),
      message: string({ maxLength: 32768 }),
    },
    optional: { observedGeneration: integer({ format: 'int64', minimum: 0 }) },
  });
}
