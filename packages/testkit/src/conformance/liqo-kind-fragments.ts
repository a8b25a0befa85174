/** Parts that several sample documents share. */
export const quota = { cpu: '4', 'ephemeral-storage': '20Gi', memory: '8Gi', pods: 110 };
export const pem = 'LS0tLS1CRUdJTi0tLS0t';
export const time = '2026-01-01T00:00:00Z';
export const later = '2026-01-01T00:30:00Z';
export const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'other', name: 'some' };
export const authParams = { apiServer: 'https://milan.example:6443', ca: pem, signedCRT: pem };
export const podSpec = {
  containers: [{ name: 'web', image: 'nginx', resources: { requests: { cpu: '1' } } }],
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['kubernetes.default'] }],
  fieldOfTheFuture: { kept: true },
};
export const deployment = {
  metadata: { name: 'made-from-it', labels: { app: 'web' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    strategy: {},
    template: { metadata: { labels: { app: 'web' } }, spec: podSpec },
  },
};
export const service = {
  metadata: { name: 'made-from-it' },
  spec: { ports: [{ name: 'a', port: 80 }] },
};
const requirement = { key: 'region', operator: 'In', values: ['eu'] };
export const nodeSelector = { nodeSelectorTerms: [{ matchExpressions: [requirement] }] };
export const liqoCondition = { lastTransitionTime: time, reason: 'Because', message: 'It is so' };
