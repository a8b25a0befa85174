import { Quota, ResourceSlice, VirtualNode } from '@liqo/api';
import { findCondition, type Kind, StorageClass } from '@liqo/kube';
import { type Stoppable, silentLogger, systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startClassController } from '../../examples/resource-slice-class/class-controller.ts';
import { followBlock, run } from './follow-block.ts';
import { readSeed, readSeedBlocks, type SeedBlock, type Tab } from './read-seed.ts';
import type { SeedStage } from './seed-stage.ts';

const timeoutMs = 240_000;
const patience = { timeoutMs: 90_000, intervalMs: 200 };
const namespace = 'liqo-tenant-cool-firefly';
const slice = { namespace, name: 'mypool' };
const blocks = readSeedBlocks(readSeed('offloading-in-depth.md'));

/** Follows the page as a reader does who takes the same tab everywhere, and checks what the page shows. */
export function seedSuite(tab: Tab, start: () => Promise<SeedStage>): void {
  describe(`offloading-in-depth.md, by the tabs "${tab}"`, () => {
    const own = blocks.filter((block) => block.tab === undefined || block.tab === tab);
    const followed = new Set<SeedBlock>();
    let stage: SeedStage;
    let classController: Stoppable | undefined;

    beforeAll(async () => {
      stage = await start();
      // The provider of the page has storage of its own behind this name.
      const liqo = { metadata: { name: 'liqo' }, provisioner: 'example.org/disk' };
      await stage.provider.client.delete(StorageClass, { name: 'liqo' });
      await stage.provider.client.create(StorageClass, liqo);
      const peer = `liqoctl peer --remote-kubeconfig ${stage.provider.kubeconfig} --networking-disabled`;
      await run(stage.consumer, `${peer} --create-resource-slice=false`);
      classController = startClassController({
        className: 'custom-class',
        client: stage.provider.client,
        clock: systemClock,
        random: systemRandom,
        log: silentLogger,
      });
    }, timeoutMs);

    afterAll(async () => {
      await classController?.[Symbol.asyncDispose]();
      await stage?.[Symbol.asyncDispose]();
    }, timeoutMs);

    async function follow(section: string): Promise<void> {
      const ofSection = own.filter((block) => block.section === section);
      for (const [index, block] of ofSection.entries()) {
        await followBlock(stage, block, ofSection[index + 1]);
        followed.add(block);
      }
    }

    const readSlice = () => stage.consumer.client.get(ResourceSlice, slice);

    function isGone(kind: Kind, name: string) {
      return eventually(async () => {
        expect(await stage.consumer.client.get(kind, { namespace, name })).toBeUndefined();
      }, patience);
    }

    /** What the manifest of the page says, but for what the API server decides. */
    function manifestOf(section: string): { readonly spec: object } {
      const shown = blocks.find((one) => one.section === section && one.language === 'yaml');
      return load(shown?.text ?? '') as { readonly spec: object };
    }

    test('Create ResourceSlice', () => follow('Create ResourceSlice'), timeoutMs);

    test(
      'Create ResourceSlice / Custom Resource Allocation',
      async () => {
        await follow('Create ResourceSlice / Custom Resource Allocation');
        const granted = await eventually(async () => {
          const found = await readSlice();
          const decision = findCondition(found?.status?.conditions, 'Resources');
          expect(decision).toMatchObject({ status: 'Accepted', reason: 'FairShare' });
          return found?.status?.resources;
        }, patience);
        await eventually(async () => {
          const virtualNode = await stage.consumer.client.get(VirtualNode, slice);
          expect(virtualNode?.spec.resourceQuota?.hard).toEqual(granted);
          const { items } = await stage.provider.client.list(Quota);
          expect(items.map(({ spec }) => spec.resources)).toEqual([granted]);
        }, patience);
      },
      timeoutMs,
    );

    test(
      'Create ResourceSlice / Delete ResourceSlice',
      async () => {
        await follow('Create ResourceSlice / Delete ResourceSlice');
        await isGone(ResourceSlice, 'mypool');
        await isGone(VirtualNode, 'mypool');
        await eventually(async () => {
          expect((await stage.provider.client.list(Quota)).items).toEqual([]);
        }, patience);
      },
      timeoutMs,
    );

    test(
      'Create VirtualNode / With Existing ResourceSlice',
      async () => {
        const section = 'Create VirtualNode / With Existing ResourceSlice';
        const create = 'liqoctl create resourceslice mypool --remote-cluster-id cool-firefly';
        await run(stage.consumer, `${create} --no-virtual-node`);
        const command =
          'liqoctl create virtualnode --remote-cluster-id cool-firefly --resource-slice-name mypool mynode';
        const printed = load(await run(stage.consumer, `${command} -o yaml`));
        expect(withoutTime(printed)).toEqual(withoutTime(manifestOf(section)));
        await follow(section);
      },
      timeoutMs,
    );

    test(
      'Create VirtualNode / With Existing Secret',
      async () => {
        await run(stage.consumer, `kubectl delete virtualnode mynode -n ${namespace}`);
        await follow('Create VirtualNode / With Existing Secret');
        await eventually(async () => {
          const row = await run(stage.consumer, 'kubectl get node mynode --no-headers');
          expect(row.split(/\s+/).slice(0, 3)).toEqual(['mynode', 'Ready', 'agent']);
        }, patience);
      },
      timeoutMs,
    );

    test(
      'Create VirtualNode / Delete VirtualNode',
      async () => {
        await follow('Create VirtualNode / Delete VirtualNode');
        await isGone(VirtualNode, 'mynode');
        const nodes = await run(stage.consumer, 'kubectl get nodes -o name');
        expect(nodes).not.toContain('mynode');
      },
      timeoutMs,
    );

    test('nothing of the page is left out', () => {
      expect(own.filter((block) => !followed.has(block))).toEqual([]);
    });
  });
}

function withoutTime(manifest: unknown): unknown {
  const { metadata, ...others } = manifest as { readonly metadata: object };
  const { creationTimestamp: _, ...kept } = metadata as { readonly creationTimestamp?: unknown };
  return { ...others, metadata: kept };
}
