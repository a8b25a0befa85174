import type { ControllerManagerOptions } from './controller-manager.ts';
import type { FlagValues } from './flags.ts';

/** What a provider grants its consumers. */
export const sliceFlags = {
  'enable-resource-enforcement': {
    type: 'boolean',
    default: 'false',
    help: 'whether pods of consumers beyond their Quotas wait until there is room',
  },
} as const;

/** What the flags say, to the controllers. */
export function readSliceFlags(
  values: FlagValues<typeof sliceFlags>,
): Pick<ControllerManagerOptions, 'enforceQuotas'> {
  return { enforceQuotas: values['enable-resource-enforcement'] };
}
