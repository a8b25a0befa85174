import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@liqo/testkit';
import { expect } from 'vitest';
import { type GetPair, patience, testOnBoth } from './place.ts';
import { callerPod, podOf } from './workloads.ts';

/** What a kubelet tells, to whom, and what it may do itself. */
export function kubeletSuite(pair: GetPair): void {
  testOnBoth(pair, 'The kubelet measures its node and pods', async (place) => {
    await place.create(podOf('measured', 'exec sleep 3600'));
    await place.ready('measured');
    const node = await place.run('get pod measured -o jsonpath={.spec.nodeName}');
    const proxied = (path: string) => place.run(`get --raw /api/v1/nodes/${node}/proxy/${path}`);
    await eventually(async () => {
      const summary = JSON.parse(await proxied('stats/summary'));
      const names = summary.pods.map(({ podRef }: { podRef: { name: string } }) => podRef.name);
      expect(names).toContain('measured');
      expect(await proxied('metrics/resource')).toMatch(
        /container_memory_working_set_bytes\{.*pod="measured"/,
      );
    }, patience);
    expect(await proxied('metrics')).toContain('kubelet_running_pods');
    expect(await proxied('metrics/cadvisor')).toContain('container_cpu_usage_seconds_total');
  });

  testOnBoth(pair, 'The kubelet asks the API server who may call it', async (place) => {
    const [node] = place.cluster.nodes;
    await place.run('create serviceaccount stranger');
    await place.run('create serviceaccount monitor');
    await place.run(
      `create clusterrolebinding monitor --clusterrole=system:kubelet-api-admin --serviceaccount=${place.namespace}:monitor`,
    );
    await place.create(callerPod('caller'));
    await place.ready('caller');
    const call = async (account: string) => {
      const token = await place.run(`create token ${account}`);
      const config = `--server=https://${node?.address}:10250 --insecure-skip-tls-verify --token=${token}`;
      return place.run(`exec caller -- kubectl ${config} get --raw /pods`);
    };
    await expect(call('stranger')).rejects.toThrow('Forbidden');
    expect(JSON.parse(await call('monitor'))).toMatchObject({ kind: 'PodList' });
  });

  testOnBoth(pair, 'A kubelet may change its own node, and no other', async (place) => {
    const [own, other] = place.cluster.nodes.map(({ name }) => name);
    const file = join(place.cluster.folder, 'node.conf');
    const user = { name: `system:node:${own}`, groups: ['system:nodes'] };
    writeFileSync(file, await place.cluster.kubeconfigFor(user));
    const label = (node?: string) =>
      place.run(`label node ${node} example.com/x=y --kubeconfig ${file}`);
    await expect(label(other)).rejects.toThrow('only its own Node object');
    expect(await label(own)).toBe(`node/${own} labeled`);
  });
}
