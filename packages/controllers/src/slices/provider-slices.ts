import { type Stoppable, together } from '@liqo/runtime';
import type { ApiServerOptions } from '../authentication/advertised-api-server.ts';
import type { ControllerContext } from '../controller-context.ts';
import { type QuotaOptions, startQuotaController } from './quota-controller.ts';
import { type SliceOptions, startSliceController } from './slice-controller.ts';

export interface ProviderSlicesOptions extends QuotaOptions, SliceOptions {
  /** What consumers are told of the API server of this cluster. */
  readonly apiServer: ApiServerOptions;
}

/** As a provider: what the ResourceSlices of consumers are granted, and the Quotas that limit it. */
export function startProviderSlices(
  context: ControllerContext,
  options: ProviderSlicesOptions,
): Stoppable {
  return together([startSliceController(context, options), startQuotaController(context, options)]);
}
