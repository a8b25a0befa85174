import type { NamespaceOffloading } from '@liqo/api';
import { expect, test } from 'vitest';
import { providersWithNamespace } from './providers-with-namespace.ts';

const required = { type: 'OffloadingRequired', status: 'True' } as const;
const notRequired = { type: 'OffloadingRequired', status: 'False' } as const;
const ready = { type: 'Ready', status: 'True' } as const;

function notReady(reason: string) {
  return { type: 'Ready', status: 'False', reason } as const;
}

test('providersWithNamespace() names the providers that have the namespace, or are creating or deleting it', () => {
  const offloading: NamespaceOffloading = {
    spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'LocalAndRemote' },
    status: {
      remoteNamespacesConditions: {
        milan: [required, ready],
        turin: [notRequired],
        oslo: [required, notReady('Creating')],
        bonn: [notRequired, notReady('Terminating')],
        bern: [required, notReady('NamespaceTaken')],
      },
    },
  };
  expect(providersWithNamespace(offloading)).toEqual(['milan', 'oslo', 'bonn']);
});

test('providersWithNamespace() names none before anything was observed', () => {
  const spec = { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Local' } as const;
  expect(providersWithNamespace({ spec })).toEqual([]);
});
