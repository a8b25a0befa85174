import type { Deployment } from '@liqo/kube';
import { expect, test } from 'vitest';
import { judgeControllerManager } from './why-unattended.ts';

function deployment(readyReplicas?: number): Deployment {
  return {
    metadata: { name: 'liqo-controller-manager', namespace: 'here' },
    status: readyReplicas === undefined ? {} : { readyReplicas },
  };
}

test('judgeControllerManager() is content with one ready replica', () => {
  expect(judgeControllerManager([deployment(), deployment(1)])).toBeUndefined();
});

test('judgeControllerManager() says that it is not installed, and how to install it', () => {
  expect(judgeControllerManager([])).toEqual({
    isInstalled: false,
    why: expect.stringContaining('there is no Deployment "liqo-controller-manager"'),
    hint: expect.stringContaining('docs/guides/own-clusters.md'),
    command: 'liqoctl install',
  });
});

test.each([undefined, 0])(
  'judgeControllerManager() says that %s of its pods are ready',
  (ready) => {
    expect(judgeControllerManager([deployment(ready)])).toEqual({
      isInstalled: true,
      why: expect.stringContaining('no pod of the Deployment "liqo-controller-manager" is ready'),
      hint: expect.stringContaining('kubectl get pods -n here'),
      command: 'kubectl describe pods -n here',
    });
  },
);

test('judgeControllerManager() has a Deployment that was scaled down started again', () => {
  const scaledDown = { ...deployment(), spec: { replicas: 0 } } as Deployment;
  expect(judgeControllerManager([scaledDown])?.command).toBe(
    'kubectl scale deployment liqo-controller-manager -n here --replicas=1',
  );
});
