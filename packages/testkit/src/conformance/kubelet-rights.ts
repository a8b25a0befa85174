import { isNotFound, Node, Pod, Secret } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { SelfSubjectRulesReview } from './access-reviews.ts';
import { fresh, refusalOf } from './rights.ts';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

/** A kubelet: its user may do what its node needs, whatever RBAC says. */
export function kubeletRights(subject: GetSubjectWithUsers): void {
  describe('rights of kubelets', () => {
    const makeKubelet = async () => {
      const node = fresh('node');
      const name = `system:node:${node}`;
      return { node, name, client: await subject().as({ name, groups: ['system:nodes'] }) };
    };

    test('a kubelet sees its own node and no other', async () => {
      const { node, client } = await makeKubelet();
      await using kubelet = client;
      expect(await kubelet.get(Node, { name: node })).toBeUndefined();
      expect(await refusalOf(kubelet.list(Node))).toContain(
        `: node '${node}' cannot read all nodes, only its own Node object`,
      );
      expect(await refusalOf(kubelet.get(Node, { name: 'other' }))).toContain(
        `: node '${node}' cannot read 'other', only its own Node object`,
      );
      expect(await refusalOf(kubelet.delete(Node, { name: node }))).toMatch(
        /at the cluster scope$/,
      );
    });

    test('a kubelet lists the pods of its node', async () => {
      const { node, client } = await makeKubelet();
      await using kubelet = client;
      const { items } = await kubelet.list(Pod, { fieldSelector: `spec.nodeName=${node}` });
      expect(items).toEqual([]);
      const refusal = ': can only list/watch pods with spec.nodeName field selector';
      expect(await refusalOf(kubelet.list(Pod))).toContain(refusal);
      expect(
        await refusalOf(kubelet.list(Pod, { fieldSelector: 'spec.nodeName=other' })),
      ).toContain(refusal);
    });

    test('a kubelet reads what the pods of its node refer to', async () => {
      const { node, client } = await makeKubelet();
      await using kubelet = client;
      const namespace = await freshNamespace(subject());
      const secret = { namespace, name: 'wanted' };
      await subject().client.create(Secret, { metadata: secret });
      const unrelated = `: no relationship found between node '${node}' and this object`;
      expect(await refusalOf(kubelet.get(Secret, secret))).toContain(unrelated);
      const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 'wanted', key: 'a' } } }];
      const containers = [{ name: 'main', image: 'example.org/app', env }];
      const metadata = { namespace, name: 'pod' };
      const spec = { containers, nodeName: node };
      const pod = await subject().client.create(Pod, { metadata, spec });
      await eventually(async () => expect(await kubelet.get(Secret, secret)).toBeDefined());
      expect(await kubelet.get(Pod, metadata)).toBeDefined();
      const { uid } = pod.metadata;
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'pod', uid };
      const account = { namespace, name: 'default' };
      await kubelet.createToken(account, { audiences: [], boundObjectRef });
      expect(await refusalOf(kubelet.get(Secret, { namespace, name: 'other' }))).toContain(
        unrelated,
      );
      expect(await refusalOf(kubelet.list(Secret, { namespace }))).toContain(
        ': No Object name found',
      );
      expect(await refusalOf(kubelet.delete(Secret, secret))).toContain(
        ': can only read resources of this type',
      );
      await subject().client.delete(Pod, metadata, { gracePeriodSeconds: 0 });
      await eventually(async () =>
        expect(await refusalOf(kubelet.get(Secret, secret))).toContain(unrelated),
      );
    });

    test('a kubelet has one lease', async () => {
      const { node, client } = await makeKubelet();
      await using kubelet = client;
      const path = (namespace: string, name: string) =>
        `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`;
      expect(isNotFound(await rejection(kubelet.rawJson(path('kube-node-lease', node))))).toBe(
        true,
      );
      expect(await refusalOf(kubelet.rawJson(path('kube-node-lease', 'other')))).toContain(
        ': can only access node lease with the same name as the requesting node',
      );
      expect(await refusalOf(kubelet.rawJson(path('default', node)))).toContain(
        ': can only access leases in the "kube-node-lease" system namespace',
      );
    });

    test('the rules of a kubelet cannot all be listed', async () => {
      const { client } = await makeKubelet();
      await using kubelet = client;
      const spec = { namespace: 'default' };
      const { status } = await kubelet.create(SelfSubjectRulesReview, { spec });
      expect(status).toMatchObject({
        incomplete: true,
        evaluationError: 'node authorizer does not support user rule resolution',
      });
    });
  });
}
