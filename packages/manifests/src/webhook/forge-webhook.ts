import { fixedNames } from '@liqo/api';
import type {
  ClusterRoleBinding,
  Deployment,
  KubeObject,
  NetworkPolicy,
  RoleBinding,
  Service,
} from '@liqo/kube';
import { when } from '../chart/when.ts';
import { withExtra } from '../chart/with-extra.ts';
import { componentSelector, releaseLabels } from '../component-labels.ts';
import { imageReference, podSettings } from '../pod-settings.ts';
import type { Values } from '../values.ts';
import { servicePort } from './forge-hook.ts';
import { forgeMutatingWebhooks, forgeValidatingWebhooks } from './webhook-configurations.ts';
import { forgeCertificatesRole } from './webhook-roles.ts';

const { webhook: name } = fixedNames;
const apiGroup = 'rbac.authorization.k8s.io';

/** The webhooks of an installation: their account, their processes, and what the API server calls them for. */
export function forgeWebhook(values: Values): readonly KubeObject[] {
  const { namespace } = values;
  const metadata = { name, namespace };
  return [
    typed('v1', 'ServiceAccount', { metadata }),
    typed(`${apiGroup}/v1`, 'ClusterRoleBinding', forgeBinding(namespace)),
    typed(`${apiGroup}/v1`, 'Role', forgeCertificatesRole(namespace)),
    typed(`${apiGroup}/v1`, 'RoleBinding', forgeCertificatesBinding(namespace)),
    ...when(values.networkPolicies.enabled, [
      typed('networking.k8s.io/v1', 'NetworkPolicy', forgeNetworkPolicy(values)),
    ]),
    typed('v1', 'Service', forgeService(values)),
    typed(
      'admissionregistration.k8s.io/v1',
      'MutatingWebhookConfiguration',
      forgeMutatingWebhooks(values),
    ),
    typed(
      'admissionregistration.k8s.io/v1',
      'ValidatingWebhookConfiguration',
      forgeValidatingWebhooks(values),
    ),
    typed('apps/v1', 'Deployment', forgeDeployment(values)),
  ];
}

function typed(apiVersion: string, kind: string, object: KubeObject): KubeObject {
  return { apiVersion, kind, ...object };
}

function forgeBinding(namespace: string): ClusterRoleBinding {
  return {
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  };
}

function forgeCertificatesBinding(namespace: string): RoleBinding {
  const { webhookCertificates } = fixedNames;
  return {
    metadata: { name: webhookCertificates, namespace },
    roleRef: { apiGroup, kind: 'Role', name: webhookCertificates },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  };
}

/** API servers connect from addresses that no selector names. */
function forgeNetworkPolicy(values: Values): NetworkPolicy {
  return {
    metadata: { name, namespace: values.namespace },
    spec: {
      podSelector: { matchLabels: componentSelector(values, 'webhook') },
      policyTypes: ['Ingress'],
      ingress: [{ ports: [{ port: values.webhook.port, protocol: 'TCP' }] }],
    },
  };
}

function forgeService(values: Values): Service {
  const selector = componentSelector(values, 'webhook');
  return {
    metadata: { name, namespace: values.namespace, labels: { ...selector, ...releaseLabels } },
    spec: {
      selector,
      ports: [{ name: 'webhook', port: servicePort, targetPort: 'webhook', protocol: 'TCP' }],
    },
  };
}

function forgeDeployment(values: Values): Deployment {
  const { namespace, clusterID, image, webhook, common } = values;
  const { replicas, logLevel, port, healthPort, extraArgs, requests, limits } = webhook;
  const selected = componentSelector(values, 'webhook');
  const labels = { ...selected, ...releaseLabels };
  return {
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: selected },
      template: {
        metadata: { labels: withExtra(labels, common.labels) },
        spec: {
          ...podSettings(values),
          serviceAccountName: name,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'webhook',
              image: imageReference(image),
              imagePullPolicy: image.pullPolicy,
              command: ['/usr/bin/liqo', 'webhook'],
              args: [
                `--cluster-id=${clusterID}`,
                `--liqo-namespace=${namespace}`,
                `--log-level=${logLevel}`,
                `--enable-resource-enforcement=${values.slices.enableResourceEnforcement}`,
                `--webhook-address=:${port}`,
                `--health-probe-address=:${healthPort}`,
                ...extraArgs,
              ],
              env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
              ports: [
                { name: 'webhook', containerPort: port, protocol: 'TCP' },
                { name: 'healthz', containerPort: healthPort, protocol: 'TCP' },
              ],
              livenessProbe: { httpGet: { path: '/healthz', port: 'healthz' } },
              readinessProbe: { httpGet: { path: '/readyz', port: 'healthz' }, periodSeconds: 2 },
              // API servers are sent here until all nodes know that the pod ends.
              lifecycle: { preStop: { sleep: { seconds: 5 } } } as Lifecycle,
              resources: { requests: { ...requests }, limits: { ...limits } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  };
}

/** `sleep` is newer than the types (1.30). */
type Lifecycle = object;
