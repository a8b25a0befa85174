import type { Quota } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { fittingCandidates } from './fitting-candidates.ts';
import type { Candidate, QuotaFacts } from './judge-by-quotas.ts';
import { Ledger } from './ledger.ts';
import { podDemand } from './pod-demand.ts';

const quota: Stored<Quota> = {
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'Quota',
  metadata: {
    name: 'mypool',
    namespace: 'liqo-tenant-rome',
    uid: 'quota-uid',
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { user: 'mypool', resources: { cpu: '4' } },
};

function pod(cpu: string): Pod {
  return {
    spec: { containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu } } }] },
  };
}

function candidate(key: string, cpu: string): Candidate {
  return { key, tenant: 'rome', creator: 'mypool', pod: pod(cpu), isNew: true };
}

function facts(charged: Readonly<Record<string, string>> = {}): QuotaFacts {
  const ledger = new Ledger();
  for (const [key, cpu] of Object.entries(charged)) {
    ledger.set(key, { tenant: 'rome', creator: 'mypool', demand: podDemand(pod(cpu)) });
  }
  return { quotas: [quota], isPeered: true, ledger };
}

test('fittingCandidates() are as many as fit together, in their order', () => {
  const waiting = [
    candidate('a', '3'),
    candidate('b', '2'),
    candidate('c', '1'),
    candidate('d', '1'),
  ];
  expect(fittingCandidates(waiting, facts()).map(({ key }) => key)).toEqual(['a', 'c']);
});

test('fittingCandidates() count only what a resize adds', () => {
  const waiting = [candidate('grows', '2'), candidate('new', '1')];
  const around = facts({ grows: '1', other: '1' });
  expect(fittingCandidates(waiting, around).map(({ key }) => key)).toEqual(['grows', 'new']);
});

test('fittingCandidates() charge nothing', () => {
  const around = facts();
  fittingCandidates([candidate('a', '4')], around);
  expect(around.ledger.used('rome', 'mypool').size).toBe(0);
});
