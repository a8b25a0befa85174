import { fixedNames } from '@liqo/api';
import type { ClusterRole, Role } from '@liqo/kube';
import { reading } from '../verbs.ts';

const { webhook, webhookCertificates } = fixedNames;

/** What the webhooks may do in the whole cluster: read what they decide by, and say by which authority they are trusted. */
export const webhookRole: ClusterRole = {
  metadata: { name: webhook, labels: { 'app.kubernetes.io/name': 'webhook' } },
  rules: [
    { apiGroups: ['offloading.liqo.io'], resources: ['namespaceoffloadings'], verbs: reading },
    { apiGroups: ['offloading.liqo.io'], resources: ['quotas'], verbs: reading },
    { apiGroups: ['offloading.liqo.io'], resources: ['virtualnodes'], verbs: reading },
    { apiGroups: ['offloading.liqo.io'], resources: ['vkoptionstemplates'], verbs: ['get'] },
    {
      apiGroups: ['authentication.liqo.io'],
      resources: ['resourceslices', 'tenants'],
      verbs: reading,
    },
    // A Node with the name of a slice or of a VirtualNode.
    { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
    { apiGroups: [''], resources: ['namespaces'], verbs: reading },
    {
      apiGroups: ['admissionregistration.k8s.io'],
      resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
      resourceNames: [webhook],
      verbs: [...reading, 'update'],
    },
  ],
};

/** In the namespace of the installation: the certificates, and no other Secret. `create` counts for an apply. */
export function forgeCertificatesRole(namespace: string): Role {
  return {
    metadata: { name: webhookCertificates, namespace },
    rules: [
      {
        apiGroups: [''],
        resources: ['secrets'],
        resourceNames: [webhookCertificates],
        verbs: ['create', ...reading, 'patch', 'update'],
      },
    ],
  };
}
