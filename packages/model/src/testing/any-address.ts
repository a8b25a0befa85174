import type { AddressPolicy } from '../pods/remote-address.ts';
import { rangeSet } from './range-set.ts';

/** Of a consumer that has no addresses of its own. */
export const anyAddress: AddressPolicy = {
  isReflected: true,
  own: rangeSet(),
  exempt: rangeSet(),
};
