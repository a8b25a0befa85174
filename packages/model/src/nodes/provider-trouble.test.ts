import { describe, expect, test } from 'vitest';
import { withProviderCondition } from './provider-condition.ts';
import { describeProblem, type ProviderProblem } from './provider-trouble.ts';

const route = { secretName: 'kubeconfig-mynode', providerClusterID: 'milan' };

describe('describeProblem()', () => {
  test.each<[ProviderProblem, string, string[]]>([
    [{ type: 'no-kubeconfig' }, 'NoKubeconfig', ['create it']],
    [{ type: 'invalid-kubeconfig', why: 'it is empty' }, 'InvalidKubeconfig', ['it is empty']],
    [{ type: 'wrong-cluster', found: 'turin' }, 'WrongCluster', ['"turin", not to "milan"']],
    [
      { type: 'unauthorized', why: 'refused with 401' },
      'RemoteUnauthorized',
      ['refused with 401', 'expired', 'replace them'],
    ],
    [
      { type: 'forbidden', why: 'refused with 403', namespaces: ['shop-rome', 'bar-rome'] },
      'RemoteForbidden',
      ['its namespaces "shop-rome", "bar-rome"', '"liqo-virtual-kubelet-remote"'],
    ],
    [
      { type: 'silent', why: 'connection refused', since: '2026-01-01T00:00:00Z' },
      'ProviderUnreachable',
      ['no answer since 2026-01-01T00:00:00Z: connection refused'],
    ],
  ])('names the Secret of %j and says what to do', (problem, reason, parts) => {
    const trouble = describeProblem(problem, route);
    expect(trouble.reason).toBe(reason);
    for (const part of ['the Secret "kubeconfig-mynode"', '"milan"', ...parts]) {
      expect(trouble.message).toContain(part);
    }
  });
});

describe('withProviderCondition()', () => {
  const now = '2026-01-01T00:00:00Z';
  const trouble = { reason: 'WrongCluster', message: 'it is another one' };
  const node = { type: 'Node', status: 'Running', lastTransitionTime: now } as const;

  test('says why, as a sentence, and leaves the other conditions as they are', () => {
    expect(withProviderCondition([node], { isReachable: false, trouble, now })).toEqual([
      node,
      {
        type: 'Provider',
        status: 'Unreachable',
        reason: 'WrongCluster',
        message: 'It is another one',
        lastTransitionTime: now,
      },
    ]);
  });

  test('says nothing more of a provider with which all is well', () => {
    const before = withProviderCondition([node], { isReachable: false, trouble, now });
    const after = withProviderCondition(before, { isReachable: true, trouble: undefined, now });
    expect(after).toEqual([node, { type: 'Provider', status: 'Running', lastTransitionTime: now }]);
  });

  test('has no status that Liqo v1.2 counts as unhealthy while the provider is reachable', () => {
    const [, said] = withProviderCondition([node], { isReachable: true, trouble, now });
    expect(said).toMatchObject({ status: 'Running', reason: 'WrongCluster' });
  });

  test('gives back the very same when there is nothing new', () => {
    const facts = { isReachable: true, trouble: undefined, now };
    const before = withProviderCondition([node], facts);
    const later = { ...facts, now: '2026-01-01T00:10:00Z' };
    expect(withProviderCondition(before, later)).toBe(before);
  });
});

test.each([
  { type: 'silent', why: '' },
  { type: 'unauthorized', why: '' },
  { type: 'forbidden', why: '', namespaces: [] },
  { type: 'wrong-cluster', found: '' },
] as const)('describeProblem() bounds what a provider says: $type', (problem) => {
  const said = `no\n\u001b[2J\u202e${'é'.repeat(5_000)}`;
  const hostile = 'why' in problem ? { ...problem, why: said } : { ...problem, found: said };
  const { message } = describeProblem(hostile, route);
  expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(1024);
  expect(message).toContain(route.secretName);
  expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
