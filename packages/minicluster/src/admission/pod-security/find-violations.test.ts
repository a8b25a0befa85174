import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { expect, test } from 'vitest';
import { findViolations, printReasons, printViolations } from './find-violations.ts';
import type { Level } from './policy.ts';

const main = { name: 'main', image: 'example.org/app' };
const context = (securityContext: object) => ({ containers: [{ ...main, securityContext }] });
const obedient = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  ...context({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }),
};

const find = (
  level: Level,
  spec: object,
  version: number | 'latest' = 'latest',
  annotations = {},
) =>
  findViolations(
    { level, version },
    {
      metadata: { annotations },
      spec: { containers: [main], ...spec } as PodSpec,
    },
  );

test.each([
  ['an ordinary pod', {}, ''],
  ['the default proc mount', context({ procMount: 'Default' }), ''],
  ['an unmasked proc mount', context({ procMount: 'Unmasked' }), 'procMount'],
  [
    'an unmasked proc mount of own users',
    { hostUsers: false, ...context({ procMount: 'Unmasked' }) },
    '',
  ],
  ['default capabilities', context({ capabilities: { add: ['CHOWN'] } }), ''],
  [
    'a process on a Windows host',
    { securityContext: { windowsOptions: { hostProcess: true } } },
    'hostProcess',
  ],
  ['an allowed SELinux type', { securityContext: { seLinuxOptions: { type: 'container_t' } } }, ''],
  ['an SELinux role', context({ seLinuxOptions: { role: 'r' } }), 'seLinuxOptions'],
  [
    'a safe sysctl',
    { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_wmem', value: '1' }] } },
    '',
  ],
  [
    'a profile of its own',
    context({ seccompProfile: { type: 'Localhost', localhostProfile: 'p' } }),
    '',
  ],
  [
    'an ephemeral container',
    { ephemeralContainers: [{ ...main, name: 'debug', securityContext: { privileged: true } }] },
    'privileged',
  ],
  ['a port without a host', { containers: [{ ...main, ports: [{ containerPort: 80 }] }] }, ''],
  [
    'a hook on another host',
    { containers: [{ ...main, lifecycle: { preStop: { tcpSocket: { host: 'h', port: 1 } } } }] },
    'probe or lifecycle host',
  ],
])('findViolations() of the baseline: %s', (_, spec, reasons) => {
  expect(printReasons(find('baseline', spec))).toBe(reasons);
});

test.each([
  ['an obedient pod', obedient, ''],
  [
    'a pod of own users as root',
    {
      ...obedient,
      hostUsers: false,
      securityContext: { seccompProfile: { type: 'RuntimeDefault' }, runAsUser: 0 },
    },
    '',
  ],
  ['a Windows pod', { os: { name: 'windows' }, securityContext: { runAsNonRoot: true } }, ''],
  [
    'an unmasked proc mount of own users',
    {
      ...obedient,
      hostUsers: false,
      containers: [
        {
          ...obedient.containers[0],
          securityContext: { ...obedient.containers[0]?.securityContext, procMount: 'Unmasked' },
        },
      ],
    },
    'procMount',
  ],
  [
    'one more capability',
    {
      ...obedient,
      ...context({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE', 'CHOWN'] },
      }),
    },
    'unrestricted capabilities',
  ],
  [
    'a profile in the container only',
    {
      securityContext: { runAsNonRoot: true },
      ...context({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        seccompProfile: { type: 'RuntimeDefault' },
      }),
    },
    '',
  ],
  [
    'volumes of all kinds',
    {
      ...obedient,
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', nfs: {} },
        { name: 'c', hostPath: {} },
      ],
    },
    'restricted volume types',
  ],
])('findViolations() of restricted: %s', (_, spec, reasons) => {
  expect(printReasons(find('restricted', spec))).toBe(reasons);
});

test('findViolations() names several volumes and their types', () => {
  const volumes = [
    { name: 'b', nfs: {} },
    { name: 'c', hostPath: {} },
  ];
  expect(printViolations(find('restricted', { ...obedient, volumes }))).toBe(
    'restricted volume types (volumes "b", "c" use restricted volume types "hostPath", "nfs")',
  );
});

test.each([
  [28, 'forbidden sysctls'],
  [29, ''],
] as const)(
  'findViolations() of version 1.%i knows the sysctls of its time',
  (version, reasons) => {
    const sysctls = [{ name: 'net.ipv4.tcp_fin_timeout', value: '1' }];
    expect(printReasons(find('baseline', { securityContext: { sysctls } }, version))).toBe(reasons);
  },
);

test.each([
  [
    18,
    'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
  ],
  [19, ''],
] as const)(
  'findViolations() of version 1.%i looks for profiles where they were',
  (version, told) => {
    const annotations = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
    expect(printViolations(find('baseline', {}, version, annotations))).toBe(told);
  },
);

test('findViolations() takes a version from the future for the newest', () => {
  expect(find('restricted', {}, 99)).toEqual(find('restricted', {}));
});

test('findViolations() forbids nothing to the privileged', () => {
  expect(find('privileged', { hostNetwork: true })).toEqual([]);
});

test('findViolations() reports AppArmor annotations beside fields', () => {
  const annotations = { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined' };
  const spec = { securityContext: { appArmorProfile: { type: 'Unconfined' } } };
  expect(printViolations(find('baseline', spec, 'latest', annotations))).toBe(
    'forbidden AppArmor profiles (pod and annotation must not set AppArmor profile type to "Unconfined", "container.apparmor.security.beta.kubernetes.io/main="unconfined"")',
  );
});
