import { X509Certificate } from 'node:crypto';
import {
  CertificateSigningRequest,
  Client,
  ClusterRole,
  InProcessTransport,
  Namespace,
  Pod,
  Role,
  RoleBinding,
  resourcePath,
  ServiceAccount,
} from '@liqo/kube';
import { eventually, rejection, seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { AdmissionChain } from '../admission/admission.ts';
import { inProcessAccess } from '../in-process-access.ts';
import { builtInResources } from '../resources/built-in.ts';
import { ApiServer } from '../rest/api-server.ts';
import { Registry } from '../rest/registry.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import { Store } from '../store/store.ts';
import requests from './certificates/certificate-requests.vectors.json' with { type: 'json' };
import { startCertificateSigning } from './certificates/signing-controller.ts';
import { createClusterAuth } from './cluster-auth.ts';
import { startClusterRoleAggregation } from './rbac/cluster-role-aggregation.ts';
import { serviceAccountUser } from './service-account-user.ts';
import type { User } from './user.ts';

/** An API server with nothing but this room's controllers, on a clock of its own. */
function startServer() {
  const clock = new VirtualClock({ startMs: Date.UTC(2040, 0, 1) });
  const random = seededRandom(1);
  const store = new Store();
  const auth = createClusterAuth({ store, clock, random });
  const admission = new AdmissionChain(auth.admission);
  const registry = new Registry();
  const parts: ServerParts = { store, registry, admission, clock, random };
  const subresourceHandlers = auth.subresources(parts);
  for (const one of builtInResources({ clock, random, subresourceHandlers })) registry.add(one);
  const server = new ApiServer(parts, auth.gatekeeper, []);
  const as = (user: Partial<User>) => {
    const peer = { name: 'jane', groups: [], extra: {}, ...user };
    return new Client({
      transport: inProcessAccess(server, peer),
      clock,
      random,
      fieldManager: 'test',
    });
  };
  const bearing = (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const transport = new InProcessTransport(async (request, signal) => {
      const { status, body } = await server.handle({ ...request, headers, signal });
      return { status, body: JSON.stringify(body) };
    });
    return new Client({ transport, clock, random });
  };
  const controller = (name: string) => as(serviceAccountUser({ namespace: 'kube-system', name }));
  return { clock, auth, as, bearing, controller, admin: as({ groups: ['system:masters'] }) };
}

const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
const readThings = { apiGroups: ['example.org'], resources: ['things'], verbs: ['get'] };

test('a service account is let in with its token, to what is bound to it', async () => {
  const { admin, bearing } = startServer();
  await admin.create(Namespace, { metadata: { name: 'shop' } });
  const account = { namespace: 'shop', name: 'robot' };
  await admin.create(ServiceAccount, { metadata: account });
  const issued = await admin.createToken(account, { audiences: [] });
  const robot = bearing(issued.status?.token ?? '');
  expect(await rejection(robot.list(Pod, { namespace: 'shop' }))).toMatchObject({
    code: 403,
    message:
      'pods is forbidden: User "system:serviceaccount:shop:robot" cannot list resource "pods" in API group "" in the namespace "shop"',
  });
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
  await admin.create(Role, { metadata: { namespace: 'shop', name: 'reader' }, rules });
  await admin.create(RoleBinding, {
    metadata: { namespace: 'shop', name: 'readers' },
    subjects: [{ kind: 'ServiceAccount', name: 'robot' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
  });
  expect((await robot.list(Pod, { namespace: 'shop' })).items).toEqual([]);
});

test('startClusterRoleAggregation() gathers the rules of labelled roles, as the account it is', async () => {
  const { admin, clock, controller } = startServer();
  const client = controller('clusterrole-aggregation-controller');
  await using _loop = startClusterRoleAggregation(client, clock);
  await admin.create(ClusterRole, { metadata: { name: 'things', labels }, rules: [readThings] });
  for (const name of ['view', 'edit', 'admin']) {
    await eventually(async () => {
      expect((await admin.get(ClusterRole, { name }))?.rules).toContainEqual(readThings);
    });
  }
  await admin.delete(ClusterRole, { name: 'things' });
  await eventually(async () => {
    expect((await admin.get(ClusterRole, { name: 'admin' }))?.rules).not.toContainEqual(readThings);
  });
});

test('startCertificateSigning() signs what was approved, as the account it is, at the time of the cluster', async () => {
  const { admin, auth, clock, controller } = startServer();
  await using _loop = startCertificateSigning(
    controller('certificate-controller'),
    clock,
    auth.authority,
  );
  const request = Buffer.from(requests['ECDSA P-256']).toString('base64');
  const made = await admin.create(CertificateSigningRequest, {
    metadata: { name: 'jane' },
    spec: { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
  });
  const status = { conditions: [{ type: 'Approved', status: 'True' }] };
  const path = resourcePath(CertificateSigningRequest, { name: 'jane', subresource: 'approval' });
  const body = JSON.stringify({ ...made, status });
  (await admin.raw({ method: 'PUT', path, body })).discard();
  const certificate = await eventually(async () => {
    const current = await admin.get(CertificateSigningRequest, { name: 'jane' });
    expect(current?.status?.certificate).toBeDefined();
    return new X509Certificate(Buffer.from(current?.status?.certificate ?? '', 'base64'));
  });
  expect(auth.userOfCertificate(certificate)).toMatchObject({
    name: 'jane',
    groups: ['team-a', 'team-b'],
  });
  expect(new Date(certificate.validFrom).getUTCFullYear()).toBe(2039);
});

test('the loops leave nothing behind', async () => {
  const { auth, clock, controller } = startServer();
  const loops = [
    startClusterRoleAggregation(controller('clusterrole-aggregation-controller'), clock),
    startCertificateSigning(controller('certificate-controller'), clock, auth.authority),
  ];
  await clock.settle();
  for (const loop of loops) await loop[Symbol.asyncDispose]();
  await clock.settle();
  expect(clock.pendingTimers).toBe(0);
});
