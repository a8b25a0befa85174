import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storedVirtualNode } from '../testing/stored-virtual-node.ts';
import { type NodeFacts, nodeStatus } from './node-status.ts';

const start = '2026-01-01T00:00:00Z';
const facts: NodeFacts = {
  address: '10.0.0.7',
  kubeletPort: 10250,
  version: 'v1.35.4',
  trouble: undefined,
  whyNoNetwork: undefined,
  now: start,
};

const trouble = { reason: 'RemoteForbidden', message: 'it is forbidden' };

function after(seconds: number): string {
  return new Date(Date.parse(start) + seconds * 1000).toISOString().replace('.000', '');
}

function say(virtualNode = storedVirtualNode(), change: Partial<NodeFacts> = {}) {
  const status = nodeStatus(virtualNode, { ...facts, ...change }, undefined);
  if (!status) throw new Error('nothing said');
  return status;
}

function condition(status: ReturnType<typeof say>, type: string) {
  return status.conditions?.find((one) => one.type === type);
}

describe('nodeStatus()', () => {
  test('says what Liqo v1.2.0 says of a node that is well', () => {
    const status = say();
    expect(status).toMatchObject({
      capacity: { cpu: '2', memory: '4Gi', pods: '10' },
      allocatable: { cpu: '2', memory: '4Gi', pods: '10' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.7' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: { kubeletVersion: 'v1.35.4', architecture: 'amd64' },
    });
    expect(status.conditions?.map(({ type, status: is, reason }) => [type, is, reason])).toEqual([
      ['Ready', 'True', 'KubeletReady'],
      ['MemoryPressure', 'False', 'RemoteClusterHasSufficientMemory'],
      ['DiskPressure', 'False', 'RemoteClusterHasNoDiskPressure'],
      ['PIDPressure', 'False', 'RemoteClusterHasNoPIDPressure'],
      ['NetworkUnavailable', 'False', 'LiqoNetworkingUp'],
    ]);
    expect(condition(status, 'Ready')?.message).toBe(
      'The Liqo Virtual Kubelet is posting ready status',
    );
  });

  test.each<[string, Partial<NodeFacts>, string, string]>([
    ['the provider cannot be relied on', { trouble }, 'RemoteForbidden', 'it is forbidden'],
    ['there is no network', { whyNoNetwork: 'no tunnel' }, 'KubeletNotReady', 'no tunnel'],
  ])('is not ready while %s, and says why', (_, change, reason, why) => {
    const ready = condition(say(storedVirtualNode(), change), 'Ready');
    expect(ready).toMatchObject({ status: 'False', reason });
    expect(ready?.message).toContain(why);
  });

  test.each([
    [{}],
    [{ cpu: '0', memory: '4Gi' }],
    [{ cpu: '2', memory: '0' }],
    [{ memory: '4Gi' }],
  ])('is not ready with resources %j', (hard) => {
    const status = say(
      storedVirtualNode({ resourceQuota: { hard: hard as Record<string, string> } }),
    );
    expect(condition(status, 'Ready')?.status).toBe('False');
    expect(condition(status, 'MemoryPressure')?.status).toBe('True');
  });

  test('is not ready with fractions of counted resources, and leaves them out of the capacity', () => {
    const hard = { cpu: '500m', memory: '4Gi', pods: '1.5', 'nvidia.com/gpu': '2' };
    const status = say(storedVirtualNode({ resourceQuota: { hard } }), { trouble });
    expect(condition(status, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'InvalidResources',
      message: expect.stringContaining('pods (1.5)'),
    });
    expect(condition(status, 'MemoryPressure')?.status).toBe('False');
    expect(status.capacity).toEqual({ cpu: '500m', memory: '4Gi', 'nvidia.com/gpu': '2' });
    expect(status.allocatable).toEqual(status.capacity);
  });

  test('follows resources, also where one is taken away', () => {
    const before = say();
    const less = storedVirtualNode({ resourceQuota: { hard: { cpu: '1', memory: '4Gi' } } });
    const status = nodeStatus(less, facts, before);
    expect(status).toMatchObject({ capacity: { cpu: '1', memory: '4Gi' } });
    expect(status?.capacity).not.toHaveProperty('pods');
    expect(status?.allocatable).toEqual(status?.capacity);
  });

  test('spells quantities as servers do, and so has nothing to say about their spelling', () => {
    const hard = { cpu: '1000m', memory: '1024Mi', pods: 110, 'example.com/licences': '2k' };
    const status = say(storedVirtualNode({ resourceQuota: { hard } }));
    const spelled = { cpu: '1', memory: '1Gi', pods: '110', 'example.com/licences': '2k' };
    expect(status.capacity).toEqual(spelled);
    expect(status.allocatable).toEqual(spelled);
  });

  test.each([
    ['has nothing to say right after it said it', 0, false],
    ['nor a little before its heartbeat', 299, false],
    ['but at its heartbeat', 300, true],
  ])('%s', (_, seconds, speaks) => {
    const status = nodeStatus(storedVirtualNode(), { ...facts, now: after(seconds) }, say());
    expect(status !== undefined).toBe(speaks);
    if (!status) return;
    expect(condition(status, 'Ready')).toMatchObject({
      lastHeartbeatTime: after(seconds),
      lastTransitionTime: start,
    });
  });

  test('says at once that something has changed, with the time of the change', () => {
    const change = { trouble, now: after(10) };
    const status = nodeStatus(storedVirtualNode(), { ...facts, ...change }, say());
    if (!status) throw new Error('nothing said');
    expect(condition(status, 'Ready')).toMatchObject({
      status: 'False',
      lastTransitionTime: after(10),
      lastHeartbeatTime: after(10),
    });
    expect(condition(status, 'DiskPressure')?.lastTransitionTime).toBe(start);
  });

  test('leaves to others what they say of the node', () => {
    const theirs = { type: 'Theirs', status: 'True', lastTransitionTime: start };
    const before = { ...say(), conditions: [theirs], volumesInUse: ['v'] };
    const status = nodeStatus(storedVirtualNode(), facts, before);
    expect(status?.conditions?.map(({ type }) => type)).toContain('Theirs');
    expect(status?.volumesInUse).toEqual(['v']);
  });

  test('has nothing to add to what it has just said, whatever was there before', () => {
    const whys = fc.option(fc.constantFrom('a', 'b'), { nil: undefined });
    const troubles = fc.option(fc.constantFrom(trouble), { nil: undefined });
    const cpu = fc.constantFrom('0', '1', '2');
    const states = fc.record({ trouble: troubles, whyNoNetwork: whys, cpu });
    fc.assert(
      fc.property(states, states, (one, other) => {
        const at = (state: typeof one, current?: ReturnType<typeof say>) => {
          const hard = { cpu: state.cpu, memory: '1Gi' };
          const { trouble: seen, whyNoNetwork } = state;
          const known = { ...facts, trouble: seen, whyNoNetwork };
          return nodeStatus(storedVirtualNode({ resourceQuota: { hard } }), known, current);
        };
        const before = at(one);
        const said = at(other, before) ?? before;
        expect(at(other, said)).toBeUndefined();
      }),
    );
  });
});
