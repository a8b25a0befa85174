import {
  type Client,
  mergePatch,
  type ObjectKey,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { storiesAbout } from './events-about.ts';
import { startSite } from './scheduling-site.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

type ClaimSpec = NonNullable<PersistentVolumeClaim['spec']>;
type VolumeSpec = NonNullable<PersistentVolume['spec']>;

const waitLong = { timeoutMs: 30_000 };
const provisioner = 'provisioner.example.org/test';
const selectedNode = 'volume.kubernetes.io/selected-node';

/** How claims get volumes, and pods with claims get nodes. */
export function volumes(subject: GetSubject): void {
  describe('volumes', () => {
    test('a claim gets the smallest volume of its class that is large enough', async () => {
      await using store = await startStore(subject);
      const storageClass = await store.addClass('Immediate', 'kubernetes.io/no-provisioner');
      await store.addVolume('small', storageClass, '1Gi');
      const fitting = await store.addVolume('fitting', storageClass, '2Gi');
      await store.addVolume('large', storageClass, '8Gi');
      const claim = await store.addClaim('data', storageClass, '1500Mi');
      const bound = await store.untilBound(claim);
      expect(bound.spec?.volumeName).toBe(fitting);
      expect(bound.status).toEqual({
        phase: 'Bound',
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '2Gi' },
      });
      expect(bound.metadata.annotations).toEqual({
        'pv.kubernetes.io/bind-completed': 'yes',
        'pv.kubernetes.io/bound-by-controller': 'yes',
      });
      await store.untilPhase(fitting, 'Bound');
      const volume = await store.client.get(PersistentVolume, { name: fitting });
      expect(volume?.spec?.claimRef).toMatchObject({ ...claim, uid: bound.metadata.uid });
    });

    test('a volume that is made for a claim is bound to it, and released when the claim is deleted', async () => {
      await using store = await startStore(subject);
      const storageClass = await store.addClass('Immediate');
      const claim = await store.addClaim('data', storageClass);
      const { uid } = await store.untilProvisioned(claim);
      const volume = await store.addVolume('made', storageClass, '1Gi', {
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim, uid },
      });
      expect((await store.untilBound(claim)).spec?.volumeName).toBe(volume);
      await store.client.delete(PersistentVolumeClaim, claim);
      await store.untilPhase(volume, 'Released');
    });

    test('a claim says what it waits for', async () => {
      await using store = await startStore(subject);
      const storageClass = await store.addClass('WaitForFirstConsumer');
      const late = await store.addClaim('late', storageClass);
      const classless = await store.addClaim('classless', '');
      await eventually(async () => {
        expect(await store.stories(late)).toEqual([
          'persistentvolume-controller Normal WaitForFirstConsumer: waiting for first consumer to be created before binding',
        ]);
        expect(await store.stories(classless)).toEqual([
          'persistentvolume-controller Normal FailedBinding: no persistent volumes available for this claim and no storage class is set',
        ]);
      }, waitLong);
    });

    test('a claim that waits for its first pod gets a volume where that pod goes', async () => {
      await using store = await startStore(subject);
      await using site = await startSite(subject);
      await site.addNode('one');
      const storageClass = await store.addClass('WaitForFirstConsumer');
      const claim = await store.addClaim('data', storageClass, '1Gi', site.namespace);
      const pod = await site.addPod('db', {}, withClaim('data'));
      const { uid, annotations } = await store.untilProvisioned(claim);
      expect(annotations).toEqual({
        [selectedNode]: site.nodeName('one'),
        'volume.beta.kubernetes.io/storage-provisioner': provisioner,
        'volume.kubernetes.io/storage-provisioner': provisioner,
      });
      const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim, uid };
      await store.addVolume('made', storageClass, '1Gi', {
        claimRef,
        nodeAffinity: onNode(site.nodeName('one')),
      });
      expect(await site.nodeOf(pod)).toBe(site.nodeName('one'));
      await store.untilBound(claim);
    });

    test('a pod gets another node when its provisioner gives the first one back', async () => {
      await using store = await startStore(subject);
      await using site = await startSite(subject);
      await site.addNode('one');
      const storageClass = await store.addClass('WaitForFirstConsumer');
      const claim = await store.addClaim('data', storageClass, '1Gi', site.namespace);
      const pod = await site.addPod('db', {}, withClaim('data'));
      const { uid } = await store.untilProvisioned(claim);
      await site.addNode('two');
      await site.cordon('one');
      const without = mergePatch({ metadata: { annotations: { [selectedNode]: null } } });
      await store.client.patch(PersistentVolumeClaim, claim, without);
      await store.untilSelected(claim, site.nodeName('two'));
      const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim, uid };
      await store.addVolume('made', storageClass, '1Gi', { claimRef });
      expect(await site.nodeOf(pod)).toBe(site.nodeName('two'));
    });

    test('a pod goes to the node that can use the volume of its claim', async () => {
      await using store = await startStore(subject);
      await using site = await startSite(subject);
      await site.addNode('one');
      await site.addNode('two');
      const none = 'kubernetes.io/no-provisioner';
      const storageClass = await store.addClass('WaitForFirstConsumer', none);
      const nodeAffinity = onNode(site.nodeName('two'));
      const volume = await store.addVolume('disk', storageClass, '1Gi', { nodeAffinity });
      const claim = await store.addClaim('data', storageClass, '1Gi', site.namespace);
      const first = await site.addPod('first', {}, withClaim('data'));
      expect(await site.nodeOf(first)).toBe(site.nodeName('two'));
      expect((await store.untilBound(claim)).spec?.volumeName).toBe(volume);
      const second = await site.addPod('second', {}, withClaim('data'));
      expect(await site.nodeOf(second)).toBe(site.nodeName('two'));
      const elsewhere = { ...withClaim('data'), nodeSelector: hostname(site.nodeName('one')) };
      const third = await site.addPod('third', {}, elsewhere);
      await site.refusalOf(third, /1 node\(s\) didn't match PersistentVolume's node affinity/);
    });

    test('a pod is told of a claim that does not exist or is not bound, and gets a node once it is', async () => {
      await using store = await startStore(subject);
      await using site = await startSite(subject);
      await site.addNode('one');
      const pod = await site.addPod('db', {}, withClaim('data'));
      const all = '0/\\d+ nodes are available: ';
      const missing = `${all}persistentvolumeclaim "data" not found\\. not found$`;
      await site.refusalOf(pod, new RegExp(missing));
      const storageClass = await store.addClass('Immediate');
      const claim = await store.addClaim('data', storageClass, '1Gi', site.namespace);
      const unbound = `${all}pod has unbound immediate PersistentVolumeClaims\\. not found$`;
      await site.refusalOf(pod, new RegExp(unbound));
      const { uid } = await store.untilProvisioned(claim);
      const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', ...claim, uid };
      await store.addVolume('made', storageClass, '1Gi', { claimRef });
      expect(await site.nodeOf(pod)).toBe(site.nodeName('one'));
    });
  });
}

const hostname = (name: string) => ({ 'kubernetes.io/hostname': name });

function onNode(name: string): NonNullable<VolumeSpec['nodeAffinity']> {
  const matchExpressions = [{ key: 'kubernetes.io/hostname', operator: 'In', values: [name] }];
  return { required: { nodeSelectorTerms: [{ matchExpressions }] } };
}

function withClaim(claimName: string) {
  return { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] };
}

async function startStore(subject: GetSubject): Promise<Store> {
  return new Store(subject().client, await freshNamespace(subject()));
}

/** Storage classes, volumes and claims of one test, and the provisioner that is asked for volumes. */
class Store implements AsyncDisposable {
  readonly client: Client;
  readonly #namespace: string;
  readonly #classes: string[] = [];
  readonly #volumes: string[] = [];

  constructor(client: Client, namespace: string) {
    this.client = client;
    this.#namespace = namespace;
  }

  async addClass(volumeBindingMode: string, by = provisioner): Promise<string> {
    const name = `${this.#namespace}-${this.#classes.length}`;
    this.#classes.push(name);
    await this.client.create(StorageClass, {
      metadata: { name },
      provisioner: by,
      volumeBindingMode,
      reclaimPolicy: 'Retain',
    });
    return name;
  }

  async addVolume(
    name: string,
    storageClassName: string,
    storage: string,
    spec: Partial<VolumeSpec> = {},
  ): Promise<string> {
    const full = `${this.#namespace}-${name}`;
    this.#volumes.push(full);
    await this.client.create(PersistentVolume, {
      metadata: { name: full },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage },
        hostPath: { path: '/tmp/placeholder' },
        storageClassName,
        ...spec,
      },
    });
    // A volume without a claim is given out once the controller has seen it.
    if (!spec.claimRef) await this.untilPhase(full, 'Available');
    return full;
  }

  async addClaim(
    name: string,
    storageClassName: string,
    storage = '1Gi',
    namespace = this.#namespace,
  ): Promise<ObjectKey & { readonly namespace: string }> {
    const spec: ClaimSpec = {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage } },
      storageClassName,
    };
    await this.client.create(PersistentVolumeClaim, { metadata: { namespace, name }, spec });
    return { namespace, name };
  }

  untilBound(claim: ObjectKey) {
    return eventually(async () => {
      const found = await this.client.get(PersistentVolumeClaim, claim);
      if (found?.status?.phase !== 'Bound') throw new Error('Expected the claim to be bound');
      return found;
    }, waitLong);
  }

  /** Until somebody is asked to make a volume for the claim. */
  untilProvisioned(claim: ObjectKey) {
    return eventually(async () => {
      const { metadata } = (await this.client.get(PersistentVolumeClaim, claim)) ?? {};
      const asked = metadata?.annotations?.['volume.kubernetes.io/storage-provisioner'];
      if (!metadata || !asked) throw new Error('Expected a provisioner to be asked');
      return metadata;
    }, waitLong);
  }

  async untilSelected(claim: ObjectKey, node: string): Promise<void> {
    await eventually(async () => {
      const { metadata } = (await this.client.get(PersistentVolumeClaim, claim)) ?? {};
      expect(metadata?.annotations?.[selectedNode]).toBe(node);
    }, waitLong);
  }

  async untilPhase(name: string, phase: string): Promise<void> {
    await eventually(async () => {
      expect((await this.client.get(PersistentVolume, { name }))?.status?.phase).toBe(phase);
    }, waitLong);
  }

  stories({ namespace, name }: ObjectKey & { readonly namespace: string }) {
    return storiesAbout(this.client, namespace, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of this.#volumes) await this.client.delete(PersistentVolume, { name });
    for (const name of this.#classes) await this.client.delete(StorageClass, { name });
  }
}
