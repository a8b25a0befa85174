import { eventually } from '@liqo/testkit';
import { expect } from 'vitest';
import { type GetPair, patience, testOnBoth } from './place.ts';
import { callerPod, containerOf, podOf, serviceOf, webDeployment } from './workloads.ts';

/** What a kubelet does with the pods it is given. */
export function workloadSuite(pair: GetPair): void {
  testOnBoth(
    pair,
    'A Deployment gets its pods running, and replaces them one by one',
    async (place) => {
      await place.apply(webDeployment('web', 2));
      await place.run('rollout status deployment/web --timeout=90s');
      const nodes = await place.run('get pods -o jsonpath={.items[*].spec.nodeName}');
      expect(new Set(nodes.split(' ')).size).toBe(2);
      await place.run('set env deployment/web CHANGED=yes');
      await place.run('rollout status deployment/web --timeout=90s');
      expect(await place.run('exec deploy/web -- env')).toContain('CHANGED=yes');
    },
  );

  testOnBoth(pair, 'A Job runs to its end', async (place) => {
    await place.apply({
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
    await place.apply(
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
    const restarts = 'get pod dying -o jsonpath={.status.containerStatuses[0].restartCount}';
    await eventually(
      async () => expect(Number(await place.run(restarts))).toBeGreaterThan(0),
      patience,
    );
  });

  testOnBoth(
    pair,
    'A container that uses more memory than it may is killed for it',
    async (place) => {
      const greedy = 'x=0123456789abcdef; while :; do x=$x$x; done';
      const container = { resources: { limits: { memory: '24Mi' } } };
      await place.apply(podOf('greedy', greedy, { container, spec: { restartPolicy: 'Never' } }));
      const ended = '.status.containerStatuses[0].state.terminated';
      const reason = `get pod greedy -o jsonpath={${ended}.reason}/{${ended}.exitCode}`;
      await eventually(async () => expect(await place.run(reason)).toBe('OOMKilled/137'), patience);
    },
  );

  testOnBoth(
    pair,
    'A container that keeps failing is restarted less and less often',
    async (place) => {
      await place.apply(podOf('failing', 'echo tried; exit 3'));
      const status = '.status.containerStatuses[0]';
      const state = `get pod failing -o jsonpath={${status}.state.waiting.reason}/{${status}.lastState.terminated.exitCode}`;
      await eventually(
        async () => expect(await place.run(state)).toBe('CrashLoopBackOff/3'),
        patience,
      );
      const before = 'logs failing --previous';
      await eventually(async () => expect(await place.run(before)).toBe('tried'), patience);
    },
  );

  testOnBoth(
    pair,
    'Secrets and tokens are files in a pod, and a changed secret is a changed file',
    async (place) => {
      const token = {
        serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 600 },
      };
      const volumes = [
        { name: 'secret', secret: { secretName: 'safe', defaultMode: 0o400 } },
        { name: 'projected', projected: { sources: [token, { configMap: { name: 'settings' } }] } },
      ];
      const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/mnt/${name}` }));
      await place.run('create secret generic safe --from-literal=code=1234');
      await place.run('create configmap settings --from-literal=colour=blue');
      await place.apply(
        podOf('reader', 'exec sleep 3600', { container: { volumeMounts }, spec: { volumes } }),
      );
      await place.ready('reader');
      expect(await place.run('exec reader -- cat /mnt/secret/code')).toBe('1234');
      expect(await place.run('exec reader -- cat /mnt/projected/colour')).toBe('blue');
      const [, claims = ''] = (await place.run('exec reader -- cat /mnt/projected/token')).split(
        '.',
      );
      expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
        aud: ['vault'],
        sub: `system:serviceaccount:${place.namespace}:default`,
      });
      await place.run('patch secret safe -p {"stringData":{"code":"5678"}}');
      await eventually(
        async () => expect(await place.run('exec reader -- cat /mnt/secret/code')).toBe('5678'),
        patience,
      );
    },
  );

  testOnBoth(
    pair,
    'A pod calls the API server as its service account, and may what that may',
    async (place) => {
      await place.apply(callerPod('caller'));
      await place.ready('caller');
      const whoAmI = 'exec caller -- kubectl auth whoami -o jsonpath={.status.userInfo.username}';
      expect(await place.run(whoAmI)).toBe(`system:serviceaccount:${place.namespace}:default`);
      await expect(place.run('exec caller -- kubectl get pods')).rejects.toThrow('forbidden');
      await place.run(
        `create rolebinding look --clusterrole=view --serviceaccount=${place.namespace}:default`,
      );
      await eventually(
        async () =>
          expect(await place.run('exec caller -- kubectl get pods -o name')).toBe('pod/caller'),
        patience,
      );
    },
  );

  testOnBoth(
    pair,
    'A service has one address for pods on all nodes, their own included',
    async (place) => {
      await place.apply(webDeployment('web', 2), serviceOf('web'));
      await place.run('rollout status deployment/web --timeout=90s');
      const address = await place.run('get service web -o jsonpath={.spec.clusterIP}');
      const pods = (await place.run('get pods -o jsonpath={.items[*].metadata.name}')).split(' ');
      for (const pod of pods) {
        const answers = new Set<string>();
        const ask = async () => {
          answers.add(await place.run(`exec ${pod} -- wget -qO- http://${address}/`));
          expect([...answers].sort()).toEqual([...pods].sort());
        };
        await eventually(ask, patience);
      }
    },
  );
}
