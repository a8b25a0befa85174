import { expect, test } from 'vitest';
import { consumerFlags } from './consumer-flags.ts';
import { parseFlags } from './flags.ts';
import { readSliceFlags, sliceFlags } from './slice-flags.ts';

function read(...args: readonly string[]) {
  return readSliceFlags('test', parseFlags('test', { ...consumerFlags, ...sliceFlags }, args));
}

test('readSliceFlags() has the defaults of Liqo v1.2', () => {
  expect(read()).toEqual({
    enforceQuotas: false,
    limitsEnforcement: 'None',
    defaultClass: {
      isEnabled: true,
      resources: { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '20Gi' },
    },
    storage: { allowed: ['*'], defaultClass: '' },
  });
});

test('readSliceFlags() reads flags as Liqo v1.2 writes them', () => {
  const options = read(
    '--enable-resource-enforcement',
    '--default-limits-enforcement=hard',
    '--default-resource-slice-class-enabled=false',
    '--default-node-resources=cpu=8,nvidia.com/gpu=1',
    '--cluster-labels=region=south,liqo.io/provider=kubeadm',
    '--enable-storage=false',
    '--ingress-classes=nginx;default,traefik',
    '--load-balancer-classes=metallb',
  );
  expect(options).toEqual({
    enforceQuotas: true,
    limitsEnforcement: 'Hard',
    defaultClass: {
      isEnabled: false,
      resources: { cpu: '8', 'nvidia.com/gpu': '1' },
      nodeLabels: { region: 'south', 'liqo.io/provider': 'kubeadm' },
      ingressClasses: [
        { ingressClassName: 'nginx', default: true },
        { ingressClassName: 'traefik' },
      ],
      loadBalancerClasses: [{ loadBalancerClassName: 'metallb' }],
    },
  });
});

test.each(['None', 'none', 'NONE'])(
  'readSliceFlags() takes the enforcement "%s" for None',
  (text) => {
    expect(read(`--default-limits-enforcement=${text}`).limitsEnforcement).toBe('None');
  },
);

test.each([
  ['--default-limits-enforcement=some', '"some" is not None, Soft or Hard'],
  ['--default-node-resources=cpu', '"cpu" is not of the form key=value'],
  ['--default-node-resources=cpu=four', '"cpu=four" is not an amount'],
  ['--default-node-resources=cpu=-1', '"cpu=-1" is not an amount'],
  ['--cluster-labels=a b=c', '"a b=c" is not a label'],
])('readSliceFlags() refuses %s', (flag, message) => {
  expect(() => read(flag)).toThrow(message);
});
