import { eventually } from '@liqo/testkit';
import { expect } from 'vitest';
import { type GetPair, patience, testOnBoth } from './place.ts';
import { callerPod, podOf, serviceOf, webDeployment } from './workloads.ts';

/** What a pod finds around it: files, the API server, its neighbours. */
export function surroundingsSuite(pair: GetPair): void {
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
      await place.create(
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
      await place.create(callerPod('caller'));
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
      await place.create(webDeployment('web', 2), serviceOf('web'));
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
