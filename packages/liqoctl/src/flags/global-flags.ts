import type { FlagTable } from './flag.ts';
import { globalMetadataFlags, helpFlag, skipConfirmFlag } from './shared-flags.ts';

/** Accepted by every command, as in Liqo. A command that asks or prints manifests has some of them in its own table as well. */
export const globalFlags = {
  ...helpFlag,
  ...skipConfirmFlag,
  ...globalMetadataFlags,
  verbose: {
    type: 'boolean',
    short: 'v',
    help: 'reports each request to an API server: method, path, status and duration',
  },
} as const satisfies FlagTable;
