import { expect, test } from 'vitest';
import { serviceCidrs } from './service-cidr.ts';

const { strategy } = serviceCidrs;
const object = (...cidrs: string[]) => ({ metadata: { name: 'more' }, spec: { cidrs } });
const faultsOf = (...cidrs: string[]) =>
  strategy.validate?.(object(...cidrs) as never, {} as never).map(({ message }) => message);
const changeOf = (next: string[], previous: string[]) =>
  strategy
    .validateUpdate?.(object(...next) as never, object(...previous) as never, {} as never)
    .map(({ field }) => field);

test.each([
  [['10.112.0.0/16'], []],
  [['10.112.0.0/16', 'fd00:96::/108'], []],
  [[], ['Required value: at least one CIDR required']],
  [['10.112.0.0'], [expect.stringContaining('must be a valid CIDR value')]],
  [['10.1.0.0/16', '10.2.0.0/16'], [expect.stringContaining('one IP for each IP family')]],
  [['10.1.0.0/16', 'fd00::/64', 'fd01::/64'], [expect.stringContaining('up to 2 values')]],
])('a ServiceCIDR of %j has the faults %j', (cidrs, faults) => {
  expect(faultsOf(...cidrs)).toEqual(faults);
});

test.each([
  ['stays as it is', ['10.1.0.0/16'], ['10.1.0.0/16'], []],
  ['gets a second range', ['10.1.0.0/16', 'fd00::/64'], ['10.1.0.0/16'], []],
  ['cannot get another range', ['10.2.0.0/16'], ['10.1.0.0/16'], ['spec.cidrs[0]']],
  ['cannot lose a range', ['10.1.0.0/16'], ['10.1.0.0/16', 'fd00::/64'], ['spec.cidrs']],
])('a ServiceCIDR %s', (_, next, previous, faults) => {
  expect(changeOf(next, previous)).toEqual(faults);
});
