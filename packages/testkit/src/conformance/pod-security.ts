import { Deployment, jsonPatch, mergePatch, Namespace, Pod, type WriteOptions } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const prefix = 'pod-security.kubernetes.io/';
const main = { name: 'main', image: 'example.org/app' };
const obedient = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    {
      ...main,
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    },
  ],
};
const restrictedFaults =
  'allowPrivilegeEscalation != false (container "main" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "main" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "main" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "main" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")';

/** The Pod Security Standards, by the labels of namespaces. */
export function podSecurity(subject: GetSubject): void {
  /** Made with its labels: whoever admits pods may have heard of it, or asks, but has nothing older. */
  const makeNamespace = async (levels: Record<string, string>) => {
    const { client } = subject();
    const namespace = await freshNamespace(subject(), labelsFor(levels));
    const createPod = (spec: object, name = 'one') =>
      client.create(Pod, { metadata: { namespace, name }, spec: { containers: [main], ...spec } });
    return { client, namespace, createPod };
  };
  const label = (namespace: string, levels: Record<string, string>, options: WriteOptions = {}) => {
    const patch = mergePatch({ metadata: { labels: labelsFor(levels) } });
    return subject().client.patch(Namespace, { name: namespace }, patch, options);
  };
  const with1 = (securityContext: object) => ({ containers: [{ ...main, securityContext }] });

  describe('pod security', () => {
    test('without labels everything goes', async () => {
      const { createPod } = await makeNamespace({});
      const pod = await createPod({ hostNetwork: true, ...with1({ privileged: true }) });
      expect(pod.spec?.hostNetwork).toBe(true);
    });

    test('the baseline lets an ordinary pod in', async () => {
      const { createPod } = await makeNamespace({ enforce: 'baseline' });
      expect((await createPod({})).metadata.name).toBe('one');
    });

    const baseline: readonly (readonly [string, object])[] = [
      [
        'privileged (container "main" must not set securityContext.privileged=true)',
        with1({ privileged: true }),
      ],
      [
        'host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)',
        { hostNetwork: true, hostPID: true, hostIPC: true },
      ],
      [
        'hostPath volumes (volumes "a", "b")',
        {
          volumes: [
            { name: 'a', hostPath: { path: '/a' } },
            { name: 'b', hostPath: { path: '/b' } },
          ],
        },
      ],
      [
        'hostPort (container "main" uses hostPorts 80, 8080)',
        {
          containers: [
            {
              ...main,
              ports: [
                { containerPort: 1, hostPort: 8080 },
                { containerPort: 2, hostPort: 80 },
              ],
            },
          ],
        },
      ],
      [
        'non-default capabilities (containers "main", "side" must not include "NET_ADMIN", "SYS_TIME" in securityContext.capabilities.add)',
        {
          containers: [
            { ...main, securityContext: { capabilities: { add: ['SYS_TIME', 'CHOWN'] } } },
            { ...main, name: 'side', securityContext: { capabilities: { add: ['NET_ADMIN'] } } },
          ],
        },
      ],
      [
        'seccompProfile (pod and container "main" must not set securityContext.seccompProfile.type to "Unconfined")',
        {
          securityContext: { seccompProfile: { type: 'Unconfined' } },
          ...with1({ seccompProfile: { type: 'Unconfined' } }),
        },
      ],
      [
        'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
        { securityContext: { seLinuxOptions: { type: 'spc_t', user: 'me' } } },
      ],
      [
        'forbidden sysctls (kernel.msgmax)',
        {
          securityContext: {
            sysctls: [
              { name: 'kernel.msgmax', value: '1' },
              { name: 'net.ipv4.tcp_rmem', value: '1' },
            ],
          },
        },
      ],
      [
        'forbidden AppArmor profile (container "main" must not set AppArmor profile type to "Unconfined")',
        with1({ appArmorProfile: { type: 'Unconfined' } }),
      ],
      [
        'probe or lifecycle host (container "main" uses probe or lifecycle host "10.0.0.1")',
        { containers: [{ ...main, livenessProbe: { httpGet: { host: '10.0.0.1', port: 80 } } }] },
      ],
    ];
    test.each(baseline)('the baseline forbids %s', async (detail, spec) => {
      const { createPod } = await makeNamespace({ enforce: 'baseline' });
      expect(await rejection(createPod(spec))).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message: `pods "one" is forbidden: violates PodSecurity "baseline:latest": ${detail}`,
        details: { name: 'one', kind: 'pods' },
      });
    });

    test('several faults are told together, in order', async () => {
      const { createPod } = await makeNamespace({ enforce: 'baseline' });
      const spec = {
        hostPID: true,
        ...with1({ privileged: true, capabilities: { add: ['ALL'] } }),
      };
      expect(await rejection(createPod(spec))).toMatchObject({
        message:
          'pods "one" is forbidden: violates PodSecurity "baseline:latest": non-default capabilities (container "main" must not include "ALL" in securityContext.capabilities.add), host namespaces (hostPID=true), privileged (container "main" must not set securityContext.privileged=true)',
      });
    });

    test('restricted pods have to be obedient', async () => {
      const { createPod } = await makeNamespace({ enforce: 'restricted' });
      expect(await rejection(createPod({}))).toMatchObject({
        message: `pods "one" is forbidden: violates PodSecurity "restricted:latest": ${restrictedFaults}`,
      });
      expect((await createPod(obedient)).metadata.name).toBe('one');
    });

    const restricted: readonly (readonly [string, object])[] = [
      [
        'restricted volume types (volume "a" uses restricted volume type "hostPath")',
        { ...obedient, volumes: [{ name: 'a', hostPath: { path: '/a' } }] },
      ],
      [
        'runAsUser=0 (pod must not set runAsUser=0)',
        { ...obedient, securityContext: { ...obedient.securityContext, runAsUser: 0 } },
      ],
      [
        'runAsNonRoot != true (pod must not set securityContext.runAsNonRoot=false)',
        { ...obedient, securityContext: { ...obedient.securityContext, runAsNonRoot: false } },
      ],
    ];
    test.each(restricted)('restricted forbids %s', async (detail, spec) => {
      const { createPod } = await makeNamespace({ enforce: 'restricted' });
      expect(await rejection(createPod(spec))).toMatchObject({
        message: `pods "one" is forbidden: violates PodSecurity "restricted:latest": ${detail}`,
      });
    });

    test('an older version knows less', async () => {
      const levels = { enforce: 'restricted', 'enforce-version': 'v1.18' };
      const { createPod } = await makeNamespace(levels);
      expect(await rejection(createPod({}))).toMatchObject({
        message:
          'pods "one" is forbidden: violates PodSecurity "restricted:v1.18": allowPrivilegeEscalation != false (container "main" must set securityContext.allowPrivilegeEscalation=false), runAsNonRoot != true (pod or container "main" must set securityContext.runAsNonRoot=true)',
      });
    });

    test('a warning lets the pod in', async () => {
      const { createPod } = await makeNamespace({ warn: 'restricted' });
      const before = subject().warnings.length;
      await createPod({});
      expect(subject().warnings.slice(before)).toEqual([
        `would violate PodSecurity "restricted:latest": ${restrictedFaults}`,
      ]);
    });

    test('a template is never refused, but warned of', async () => {
      const { client, namespace } = await makeNamespace({ enforce: 'baseline' });
      const labels = { app: 'one' };
      const podSpec = { hostNetwork: true, containers: [main] };
      const template = { metadata: { labels }, spec: podSpec };
      const spec = { replicas: 0, selector: { matchLabels: labels }, template };
      const before = subject().warnings.length;
      await client.create(Deployment, { metadata: { namespace, name: 'one' }, spec });
      expect(subject().warnings.slice(before)).toEqual([
        'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
      ]);
    });

    test('stricter labels warn of the pods that are there', async () => {
      const { createPod, namespace } = await makeNamespace({});
      await createPod({ hostNetwork: true }, 'a');
      await createPod({ hostNetwork: true }, 'b');
      await createPod({ hostPID: true, ...with1({ privileged: true }) }, 'c');
      await createPod({}, 'd');
      await eventually(async () => {
        const before = subject().warnings.length;
        await label(namespace, { enforce: 'baseline' }, { dryRun: true });
        expect(subject().warnings.slice(before)).toEqual([
          `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "baseline:latest"`,
          'a (and 1 other pod): host namespaces',
          'c: host namespaces, privileged',
        ]);
      });
    });

    test('a pod that is in can be labelled, but gets no other image', async () => {
      const { client, createPod, namespace } = await makeNamespace({});
      await createPod({ hostNetwork: true });
      await label(namespace, { enforce: 'baseline' });
      const key = { namespace, name: 'one' };
      await client.patch(Pod, key, mergePatch({ metadata: { labels: { a: 'b' } } }));
      const path = '/spec/containers/0/image';
      const patch = jsonPatch([{ op: 'replace', path, value: 'example.org/other' }]);
      await eventually(async () => {
        const change = client.patch(Pod, key, patch, { dryRun: true });
        expect(await rejection(change)).toMatchObject({ code: 403 });
      });
    });

    test('labels that mean nothing are refused', async () => {
      const { client } = subject();
      const labels = { [`${prefix}enforce`]: 'strict', [`${prefix}warn-version`]: '1.30' };
      const name = `${await freshNamespace(subject())}-x`;
      const creation = client.create(Namespace, { metadata: { name, labels } });
      expect(await rejection(creation)).toMatchObject({
        code: 422,
        message: `Namespace "${name}" is invalid: [metadata.labels[${prefix}enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted, metadata.labels[${prefix}warn-version]: Invalid value: "1.30": must be "latest" or "v1.x"]`,
        details: { kind: 'Namespace', name },
      });
    });
  });
}

function labelsFor(levels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(levels).map(([mode, level]) => [prefix + mode, level]));
}
