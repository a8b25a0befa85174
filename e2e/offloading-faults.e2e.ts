import type { Pod } from '@liqo/kube';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { nodeName } from './offloading-faults/application.ts';
import {
  crashContainerOf,
  crashVirtualKubelet,
  deleteRemotePod,
  remotePod,
  sleep,
  startMinds,
  stopMinds,
} from './offloading-faults/faults.ts';
import { PodHistory } from './offloading-faults/pod-history.ts';
import {
  everyPodReady,
  expectRecovery,
  likeOverThere,
  readPods,
} from './offloading-faults/recovery.ts';
import { type Stage, setStage } from './offloading-faults/stage.ts';
import { kubectl } from './real-nodes/kubectl.ts';

const timeoutMs = 400_000;

describe('an offloaded application of 104 pods, on real clusters with real nodes', () => {
  let stage: Stage;
  let history: PodHistory;

  beforeAll(async () => {
    stage = await setStage();
    history = new PodHistory(stage);
    await history.begin();
    await expectRecovery(stage, 'nothing');
  }, 300_000);

  afterEach(async () => {
    await stage.link.restore();
    expect(history.sins).toEqual([]);
  }, timeoutMs);

  afterAll(async () => {
    await history?.[Symbol.asyncDispose]();
    await stage?.[Symbol.asyncDispose]();
  }, timeoutMs);

  /** A test in which the pods over there are the same before and after: none is made anew. */
  function testSamePods(sentence: string, behaviour: () => Promise<void>): void {
    const uids = async () => {
      const { away } = await readPods(stage);
      return away.map(({ metadata }) => metadata.uid).sort();
    };
    const body = async () => {
      const before = await uids();
      await behaviour();
      expect(await uids()).toEqual(before);
    };
    test(sentence, body, timeoutMs);
  }

  const nodeIs = (status: boolean) =>
    kubectl(stage.rome, `wait node/${nodeName} --for=condition=Ready=${status} --timeout=60s`);

  testSamePods('lives through a link that is cut for a minute', async () => {
    const { link } = stage;
    const minute = sleep(60_000);
    await link.cut();
    await nodeIs(false);
    const known = await crashContainerOf(stage, 'db');
    await minute;
    await link.restore();
    await expectRecovery(stage, 'link cut for a minute', known);
  });

  testSamePods(
    'lives through a link that flaps, and a node of the provider that is lost',
    async () => {
      const { link, milan } = stage;
      const { spec } = await remotePod(stage, 'web');
      const node = milan.node(spec?.nodeName ?? '');
      await node.kill();
      for (let n = 0; n < 6; n++) {
        await sleep(5_000);
        await link.cut();
        await sleep(5_000);
        await link.restore();
      }
      await expectRecovery(stage, 'link flapping for a minute', likeOverThere);
      await kubectl(milan, `wait node/${node.name} --for=condition=Ready=Unknown --timeout=60s`);
      await node.start();
      await expectRecovery(stage, 'node of the provider lost');
    },
  );

  testSamePods('lives through a link on which only one direction works', async () => {
    const { link, milan } = stage;
    await link.cut(milan);
    const known = await crashContainerOf(stage, 'web', 0);
    await sleep(20_000);
    await link.restore();
    await expectRecovery(stage, 'link half-open', known);
  });

  testSamePods('lives through a link that is slow and loses its connections', async () => {
    const { link, rome } = stage;
    await link.delay(500);
    await link.narrow(256_000);
    await kubectl(rome, '-n shop label pods -l app=web tier=gold');
    for (let n = 0; n < 3; n++) {
      await sleep(4_000);
      await link.reset();
    }
    expect(await kubectl(rome, `get node ${nodeName} --no-headers`)).toContain(' Ready ');
    await link.restore();
    const isOld = ({ metadata }: Pod) =>
      metadata?.labels?.app === 'web' && metadata.labels.tier !== 'gold';
    await expectRecovery(stage, 'link slow', (pods) =>
      pods.away.some(isOld) ? 'a change has not arrived' : everyPodReady(pods),
    );
  });

  testSamePods('lives through a restart of the provider’s API server', async () => {
    await stage.milan.restartApiServer();
    await expectRecovery(stage, 'API server of the provider restarted');
  });

  testSamePods('lives through a minute in which the provider’s etcd hangs', async () => {
    const { milan } = stage;
    await stopMinds(milan);
    milan.component('etcd').pause();
    await sleep(60_000);
    milan.component('etcd').resume();
    await Promise.all([startMinds(milan), expectRecovery(stage, 'etcd of the provider stopped')]);
  });

  testSamePods('lives through the death of its virtual kubelet', async () => {
    await crashVirtualKubelet(stage);
    const known = await crashContainerOf(stage, 'web', 1);
    await expectRecovery(stage, 'virtual kubelet killed', known);
  });

  test(
    'lives through the absence of its own control plane, while things change at the provider',
    async () => {
      const { rome } = stage;
      const apiServer = rome.component('kube-apiserver');
      const web = await remotePod(stage, 'web', 2);
      await stopMinds(rome);
      await apiServer.stop();
      await deleteRemotePod(stage, web);
      const known = await crashContainerOf(stage, 'db');
      await sleep(20_000);
      await apiServer.start();
      const recovery = expectRecovery(stage, 'control plane at home down', known);
      await Promise.all([startMinds(rome), recovery]);
      const { away } = await readPods(stage);
      expect(away.map(({ metadata }) => metadata.uid)).not.toContain(web.metadata.uid);
    },
    timeoutMs,
  );
});
