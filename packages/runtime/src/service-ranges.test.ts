import { type IpRange, Namespace, parseIpRange, Service, ServiceCIDR } from '@liqo/kube';
import { startQuietWorld } from '@liqo/testkit/cluster';
import { faultOn, noFaults, refusal } from '@liqo/testkit/faults';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from './log/log.ts';
import { ServiceRanges } from './service-ranges.ts';

const apiServer = { namespace: 'default', name: 'kubernetes' };
const range = (text: string) => parseIpRange(text) as IpRange;

async function startWorld() {
  const world = await startQuietWorld(['shop']);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, clock, random } = world;
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (message: string) => warnings.push(message) };
  if (!(await admin.get(Namespace, { name: 'default' }))) {
    await admin.create(Namespace, { metadata: { name: 'default' } });
  }
  await admin.create(Service, {
    metadata: apiServer,
    spec: { clusterIP: '10.96.0.1', ports: [{ port: 443 }] },
  });
  const read = async () => {
    const ranges = new ServiceRanges({ client, clock, random, log, onChange: () => undefined });
    onTestFinished(() => ranges[Symbol.asyncDispose]());
    await clock.settle();
    return ranges;
  };
  return { ...world, read, warnings };
}

const ofRanges = ({ resource }: { readonly resource: string }) =>
  resource.startsWith('servicecidrs');

describe('ServiceRanges', () => {
  test('are those that the cluster tells', async () => {
    const { admin, read } = await startWorld();
    const more = {
      metadata: { name: 'more' },
      spec: { cidrs: ['10.112.0.0/16', 'fd00:96::/108'] },
    };
    await admin.create(ServiceCIDR, more);
    const { ranges } = await read();
    const known = ['10.96.0.0/12', '10.112.0.0/16', 'fd00:96::/108'].map(range);
    expect(ranges).toEqual(expect.arrayContaining(known));
  });

  test('are the addresses of the API server where the cluster tells none', async () => {
    const { faults, read } = await startWorld();
    faults.plan = faultOn(ofRanges, refusal(404));
    const { ranges } = await read();
    expect(ranges).toContainEqual(range('10.96.0.1/32'));
  });

  test('do not keep pods waiting when they may not be read, and that is logged', async () => {
    const { faults, read, warnings } = await startWorld();
    faults.plan = faultOn(ofRanges, refusal(403));
    const ranges = await read();
    await ranges.synced();
    expect(warnings).toEqual([expect.stringContaining('Cannot read the ranges of Services')]);
  });

  test('are read again soon when the API server fails', async () => {
    const { faults, clock, read } = await startWorld();
    faults.plan = faultOn(ofRanges, refusal(400));
    const ranges = await read();
    expect(ranges.hasSynced).toBe(false);
    faults.plan = noFaults;
    await clock.advance(6_000);
    expect(ranges.hasSynced).toBe(true);
  });
});
