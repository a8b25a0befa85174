import { eventually } from '@liqo/testkit';
import { expect } from 'vitest';
import { type GetPair, patience, testOnBoth } from './place.ts';
import { containerOf, podOf, serviceOf, webDeployment } from './workloads.ts';

/** What a kubelet does with the pods it is given. */
export function workloadSuite(pair: GetPair): void {
  testOnBoth(
    pair,
    'A Deployment gets its pods running, and replaces them one by one',
    async (place) => {
      await place.create(webDeployment('web', 2));
      await place.run('rollout status deployment/web --timeout=90s');
      const nodes = await place.run('get pods -o jsonpath={.items[*].spec.nodeName}');
      expect(new Set(nodes.split(' ')).size).toBe(2);
      await place.run('set env deployment/web CHANGED=yes');
      await place.run('rollout status deployment/web --timeout=90s');
      expect(await place.run('exec deploy/web -- env')).toContain('CHANGED=yes');
    },
  );

  testOnBoth(pair, 'A Job runs to its end', async (place) => {
    await place.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'sum' },
      spec: {
        completions: 2,
        template: {
          spec: { restartPolicy: 'Never', containers: [containerOf('echo $((20+22))')] },
        },
      },
    });
    await place.run('wait job/sum --for=condition=Complete --timeout=90s');
    expect(await place.run('logs job/sum')).toBe('42');
  });

  testOnBoth(pair, 'Probes decide who is ready and who is restarted', async (place) => {
    const exec = (file: string) => ({ exec: { command: ['test', '-e', file] }, periodSeconds: 1 });
    const liveness = { livenessProbe: { ...exec('/tmp/alive'), failureThreshold: 1 } };
    await place.create(
      podOf('unready', 'exec sleep 3600', { container: { readinessProbe: exec('/tmp/ready') } }),
      podOf('dying', 'touch /tmp/alive; sleep 2; rm /tmp/alive; exec sleep 3600', {
        container: { ...liveness, startupProbe: exec('/tmp/alive') },
      }),
      serviceOf('unready'),
    );
    const ready = 'get endpointslices -o jsonpath={.items[*].endpoints[*].conditions.ready}';
    await eventually(async () => expect(await place.run(ready)).toBe('false'), patience);
    await place.run('exec unready -- touch /tmp/ready');
    await eventually(async () => expect(await place.run(ready)).toBe('true'), patience);
    await eventually(async () => {
      expect((await place.container('dying'))?.restartCount).toBeGreaterThan(0);
    }, patience);
  });

  testOnBoth(
    pair,
    'A container that uses more memory than it may is killed for it',
    async (place) => {
      const greedy = 'x=0123456789abcdef; while :; do x=$x$x; done';
      const container = { resources: { limits: { memory: '24Mi' } } };
      await place.create(podOf('greedy', greedy, { container, spec: { restartPolicy: 'Never' } }));
      await eventually(async () => {
        const terminated = { reason: 'OOMKilled', exitCode: 137 };
        expect((await place.container('greedy'))?.state).toMatchObject({ terminated });
      }, patience);
    },
  );

  testOnBoth(
    pair,
    'A container that keeps failing is restarted less and less often',
    async (place) => {
      await place.create(podOf('failing', 'echo tried; exit 3'));
      await eventually(async () => {
        expect(await place.container('failing')).toMatchObject({
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated: { exitCode: 3 } },
        });
      }, patience);
      const before = 'logs failing --previous';
      await eventually(async () => expect(await place.run(before)).toBe('tried'), patience);
    },
  );
}
