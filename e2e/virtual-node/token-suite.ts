import { annotations } from '@liqo/api';
import { mergePatch, parseTime, Secret, TokenReview } from '@liqo/kube';
import { eventually } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { callerImage } from '../real-nodes/test-images.ts';
import { handOver, inGoodOrder } from './hand-over.ts';
import { namespace, podOn, remoteNamespace } from './manifests.ts';
import { type GetStage, inShop, patience, runPod } from './place.ts';
import type { Stage } from './stage.ts';

const forVault = { serviceAccountToken: { path: 'token', audience: 'vault' } };
const caller = podOn('mynode', 'caller', {
  container: { image: callerImage, volumeMounts: [{ name: 'vault', mountPath: '/mnt/vault' }] },
  spec: {
    serviceAccountName: 'clerk',
    volumes: [{ name: 'vault', projected: { sources: [forVault] } }],
  },
});

const secretKey = { namespace: remoteNamespace, name: 'caller-token' };
const { serviceAccountExpiration } = annotations;

/** A pod that is somebody at home, wherever it runs. */
export function tokenSuite(stage: GetStage): void {
  const run = (line: string) => inShop(stage(), line);

  test.sequential('a pod finds its token where it runs, and the API server at home knows it by it', async () => {
    await run('create serviceaccount clerk');
    await run(`create rolebinding clerk --clusterrole=view --serviceaccount=${namespace}:clerk`);
    const { metadata } = await runPod(stage().rome, caller);
    expect(await whoCalls(stage())).toMatchObject({
      username: `system:serviceaccount:${namespace}:clerk`,
      extra: { 'authentication.kubernetes.io/pod-uid': [metadata.uid] },
    });
    const call = `exec caller -- kubectl -n ${namespace}`;
    expect(await run(`${call} get pod caller -o jsonpath={.metadata.uid}`)).toBe(metadata.uid);
    await expect(run(`${call} delete pod caller`)).rejects.toThrow('forbidden');
    const [, claims = ''] = (await run('exec caller -- cat /mnt/vault/token')).split('.');
    const decoded = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(decoded).toMatchObject({ aud: ['vault'] });
  });

  test.sequential('a virtual kubelet that takes over renews tokens whose time has come, and the pod has them', async () => {
    const { rome, milan } = stage();
    const before = await readToken(stage());
    const passed = {
      metadata: { annotations: { [serviceAccountExpiration]: '2020-01-01T00:00:00Z' } },
    };
    await milan.client.patch(Secret, secretKey, mergePatch(passed));
    await handOver(rome, 'mynode', inGoodOrder);
    await eventually(async () => {
      expect(await expiry(stage())).toBeGreaterThan(Date.parse('2020-01-01'));
      expect(await readToken(stage())).not.toBe(before);
    }, patience);
    expect(await whoCalls(stage())).toMatchObject({
      username: `system:serviceaccount:${namespace}:clerk`,
    });
  });

  test.sequential('tokens go with their pod, and nobody can use them any more', async () => {
    const { milan } = stage();
    const token = await readToken(stage());
    expect(await isGood(stage(), token)).toBe(true);
    await run('delete pod caller');
    await eventually(async () => {
      expect(await milan.client.get(Secret, secretKey)).toBeUndefined();
      expect(await isGood(stage(), token)).toBe(false);
    }, patience);
  });
}

/** Whom the API server at home takes the pod for. */
async function whoCalls(stage: Stage): Promise<unknown> {
  const { status } = JSON.parse(await inShop(stage, 'exec caller -- kubectl auth whoami -o json'));
  return status.userInfo;
}

function readToken(stage: Stage): Promise<string> {
  const file = '/var/run/secrets/kubernetes.io/serviceaccount/token';
  return inShop(stage, `exec caller -- cat ${file}`);
}

async function expiry({ milan }: Stage): Promise<number> {
  const secret = await milan.client.get(Secret, secretKey);
  return parseTime(secret?.metadata.annotations?.[serviceAccountExpiration] ?? '');
}

async function isGood({ rome }: Stage, token: string): Promise<boolean> {
  const { status } = await rome.client.create(TokenReview, { spec: { token } });
  return status?.authenticated ?? false;
}
