import { labels, type Quota } from '@liqo/api';
import type { Pod, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { type Candidate, judgeByQuotas, type QuotaFacts } from './judge-by-quotas.ts';
import { Ledger } from './ledger.ts';
import { podDemand } from './pod-demand.ts';

type Requests = Record<string, string>;

function quota(slice: string, resources: Requests, more: Partial<Quota['spec']> = {}) {
  return {
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'Quota',
    metadata: {
      name: `${slice}-a8a4c692b93b`,
      namespace: 'liqo-tenant-rome',
      uid: `${slice}-uid`,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ownerReferences: [
        {
          apiVersion: 'authentication.liqo.io/v1beta1',
          kind: 'ResourceSlice',
          name: slice,
          uid: 'u',
        },
      ],
    },
    spec: { user: `${slice}-a8a4c692b93b`, resources, ...more },
  } as const satisfies Stored<Quota>;
}

function pod(requests: Requests): Pod {
  return { spec: { containers: [{ name: 'web', image: 'nginx', resources: { requests } }] } };
}

function candidate(requests: Requests, more: Partial<Candidate> = {}): Candidate {
  const creator = 'mypool-a8a4c692b93b';
  return { key: 'shop/web', tenant: 'rome', creator, pod: pod(requests), isNew: true, ...more };
}

/** Facts with these pods, each charged to a user of rome. */
function facts(
  quotas: readonly Stored<Quota>[],
  pods: readonly (readonly [creator: string | undefined, requests: Requests])[] = [],
  isPeered = true,
): QuotaFacts & { readonly ledger: Ledger } {
  const ledger = new Ledger();
  for (const [index, [creator, requests]] of pods.entries()) {
    const demand = podDemand(pod(requests));
    ledger.set(`shop/other-${index}`, { tenant: 'rome', creator, demand });
  }
  return { quotas, isPeered, ledger };
}

const mypool = quota('mypool', { cpu: '4', memory: '8Gi', pods: '3' });
const user = mypool.spec.user;

function says(verdict: ReturnType<typeof judgeByQuotas>): string {
  return verdict.allowed ? 'allowed' : `${verdict.reason}: ${verdict.message}`;
}

describe('a new pod', () => {
  test.each<[string, Candidate, QuotaFacts, string]>([
    [
      'that fits to the last bit',
      candidate({ cpu: '3' }),
      facts([mypool], [[user, { cpu: '1' }]]),
      'allowed',
    ],
    [
      'beyond what is left',
      candidate({ cpu: '1' }),
      facts([mypool], [[user, { cpu: '4' }]]),
      'QuotaExceeded: slice mypool: cpu 4 of 4 in use (1 requested)',
    ],
    [
      'beyond several resources',
      candidate({ cpu: '500m', memory: '1Gi' }),
      facts([mypool], [[user, { cpu: '3750m', memory: '8Gi' }]]),
      'QuotaExceeded: slice mypool: cpu 3750m of 4 in use (500m requested), memory 8Gi of 8Gi in use (1Gi requested)',
    ],
    [
      'that is one too many',
      candidate({}),
      facts(
        [mypool],
        [
          [user, {}],
          [user, {}],
          [user, {}],
        ],
      ),
      'QuotaExceeded: slice mypool: pods 3 of 3 in use (1 requested)',
    ],
    [
      'with a resource that is not granted',
      candidate({ 'nvidia.com/gpu': '1' }),
      facts([mypool]),
      'QuotaExceeded: slice mypool: it has no nvidia.com/gpu (1 requested)',
    ],
    [
      'with none of a resource that is not granted',
      candidate({ 'nvidia.com/gpu': '0' }),
      facts([mypool]),
      'allowed',
    ],
    [
      'where pods are not counted',
      candidate({}),
      facts([quota('mypool', { cpu: '4' })], [[user, {}]]),
      'allowed',
    ],
    [
      'where no pod is granted',
      candidate({}),
      facts([quota('mypool', { cpu: '4', pods: '0' })]),
      'QuotaExceeded: slice mypool: it has no pods (1 requested)',
    ],
    [
      'of a cordoned quota',
      candidate({}),
      facts([quota('mypool', { cpu: '4' }, { cordoned: true })]),
      'QuotaCordoned: slice mypool: cordoned by the provider',
    ],
    [
      'without requests under Soft',
      candidate({ cpu: '1' }),
      facts([quota('mypool', { cpu: '4' }, { limitsEnforcement: 'Soft' })]),
      'RequestsRequired: slice mypool: limits are enforced (Soft), and container "web" does not request memory',
    ],
    [
      'with what is not a quantity',
      candidate({ cpu: 'four' }),
      facts([mypool]),
      'InvalidResources: Cannot read resource "cpu": "four" is not a quantity',
    ],
    [
      'of a user without a quota',
      candidate({}, { creator: 'other-a8a4c692b93b' }),
      facts([mypool]),
      'NoQuota: "other-a8a4c692b93b" has no slice at this provider',
    ],
    [
      'of a consumer that has authenticated itself and has no slice',
      candidate({}, { creator: undefined }),
      facts([]),
      'NoQuota: consumer "rome" has no slice at this provider',
    ],
    [
      'of a consumer that was connected by hand',
      candidate({ cpu: '100' }),
      facts([], [], false),
      'allowed',
    ],
    [
      'of a consumer that was connected by hand and has a quota of another user',
      candidate({}, { creator: 'someone' }),
      facts([mypool], [], false),
      'NoQuota: "someone" has no slice at this provider',
    ],
  ])('judgeByQuotas() of one %s', (_, one, around, expected) => {
    expect(says(judgeByQuotas(one, around))).toBe(expected);
  });

  test('judgeByQuotas() names what the pod will be charged', () => {
    const verdict = judgeByQuotas(candidate({ cpu: '1' }), facts([mypool]));
    expect(verdict).toMatchObject({ allowed: true, charge: { tenant: 'rome', creator: user } });
  });

  test('judgeByQuotas() does not count the pods of another consumer with a user of that name', () => {
    const around = facts([mypool]);
    const demand = podDemand(pod({ cpu: '4' }));
    around.ledger.set('other/web', { tenant: 'paris', creator: user, demand });
    expect(says(judgeByQuotas(candidate({ cpu: '4' }), around))).toBe('allowed');
  });

  test('judgeByQuotas() keeps its message short, however long the name of a resource is', () => {
    const verdict = judgeByQuotas(
      candidate({ [`x\u001b[2J${'y'.repeat(100_000)}`]: '1' }),
      facts([mypool]),
    );
    expect(says(verdict).length).toBeLessThan(1100);
    expect(says(verdict)).not.toContain('\u001b');
  });
});

describe('a pod that exists', () => {
  function existing(requests: Requests, more: Partial<Quota['spec']> = {}) {
    const around = facts([quota('mypool', { cpu: '4' }, more)], [[user, { cpu: '1' }]]);
    const demand = podDemand(pod(requests));
    around.ledger.set('shop/web', { tenant: 'rome', creator: user, demand });
    return around;
  }

  test.each<[string, Requests, QuotaFacts, string]>([
    ['may grow into what is left', { cpu: '3' }, existing({ cpu: '1' }), 'allowed'],
    [
      'may not grow beyond it',
      { cpu: '3001m' },
      existing({ cpu: '1' }),
      'QuotaExceeded: slice mypool: cpu 1 of 4 in use (3001m requested)',
    ],
    ['may shrink where too much is in use', { cpu: '9' }, existing({ cpu: '10' }), 'allowed'],
    [
      'may shrink under a cordon',
      { cpu: '1' },
      existing({ cpu: '2' }, { cordoned: true }),
      'allowed',
    ],
  ])('judgeByQuotas() of one that %s', (_, requests, around, expected) => {
    expect(says(judgeByQuotas(candidate(requests, { isNew: false }), around))).toBe(expected);
  });

  test('judgeByQuotas() lets one be created again under a cordon', () => {
    const around = facts([quota('mypool', { cpu: '4' }, { cordoned: true })]);
    expect(says(judgeByQuotas(candidate({ cpu: '1' }, { isNew: false }), around))).toBe('allowed');
  });
});

describe('pods that nothing labels', () => {
  const other = quota('other', { cpu: '2', pods: '5' });
  const unlabelled = candidate({ cpu: '1' }, { creator: undefined });

  test.each<[string, QuotaFacts, string]>([
    [
      'share what all slices have',
      facts(
        [mypool, other],
        [
          [user, { cpu: '4' }],
          [undefined, { cpu: '1' }],
        ],
      ),
      'allowed',
    ],
    [
      'get no more than that',
      facts(
        [mypool, other],
        [
          [user, { cpu: '4' }],
          [undefined, { cpu: '2' }],
        ],
      ),
      'QuotaExceeded: the slices of "rome": cpu 6 of 6 in use (1 requested)',
    ],
    [
      'get nothing of a cordoned slice, which counts with none of its pods',
      facts([quota('mypool', { cpu: '4' }, { cordoned: true }), other], [[user, { cpu: '4' }]]),
      'allowed',
    ],
    [
      'get nothing while all slices are cordoned',
      facts([quota('mypool', { cpu: '4' }, { cordoned: true })]),
      'QuotaCordoned: slice mypool: cordoned by the provider',
    ],
    [
      'get nothing while all of several slices are cordoned',
      facts([mypool, other].map((one) => ({ ...one, spec: { ...one.spec, cordoned: true } }))),
      'QuotaCordoned: the slices of "rome": cordoned by the provider',
    ],
    [
      'get no more than the only slice has',
      facts([mypool], [[undefined, { cpu: '4' }]]),
      'QuotaExceeded: slice mypool: cpu 4 of 4 in use (1 requested)',
    ],
  ])('judgeByQuotas(): they %s', (_, around, expected) => {
    expect(says(judgeByQuotas(unlabelled, around))).toBe(expected);
  });

  test('judgeByQuotas() counts them when a labelled one asks', () => {
    const around = facts([mypool, other], [[undefined, { cpu: '6' }]]);
    expect(says(judgeByQuotas(candidate({ cpu: '1' }), around))).toBe(
      'QuotaExceeded: the slices of "rome": cpu 6 of 6 in use (1 requested)',
    );
  });

  test('judgeByQuotas() leaves pods of a slice that is gone out of it', () => {
    const around = facts([mypool], [['gone-a8a4c692b93b', { cpu: '4' }]]);
    expect(says(judgeByQuotas(unlabelled, around))).toBe('allowed');
  });
});

test('judgeByQuotas() knows a quota that belongs to no slice by its own name', () => {
  const { metadata, ...rest } = mypool;
  const { ownerReferences: _, ...bare } = { ...metadata, labels: { [labels.managed]: 'true' } };
  const around = facts([{ ...rest, metadata: bare }], [[user, { cpu: '4' }]]);
  expect(says(judgeByQuotas(candidate({ cpu: '1' }), around))).toContain(
    'quota mypool-a8a4c692b93b: cpu',
  );
});
