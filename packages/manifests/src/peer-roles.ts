import { fixedNames } from '@liqo/api';
import { type ClusterRole, CoreEvent, PersistentVolumeClaim } from '@liqo/kube';
import { reflectedKinds } from '@liqo/model';
import { ruleOfEach } from './rule-of-each.ts';
import { everything, reading } from './verbs.ts';

/**
 * Bound in a tenant namespace to the control plane of the consumer. The status is the provider's to write; that of an offer is the
 * consumer's, which fetches the offer with the one Secret that belongs to it.
 */
const remoteControlPlane: ClusterRole = {
  metadata: {
    name: 'liqo-remote-controlplane',
    labels: { 'app.kubernetes.io/name': 'remote-controlplane' },
  },
  rules: [
    {
      apiGroups: ['authentication.liqo.io'],
      resources: ['renews', 'resourceslices'],
      verbs: everything,
    },
    { apiGroups: ['offloading.liqo.io'], resources: ['namespacemaps'], verbs: everything },
    {
      apiGroups: ['authentication.liqo.io'],
      resources: ['renews/status', 'resourceslices/status'],
      verbs: reading,
    },
    { apiGroups: ['offloading.liqo.io'], resources: ['namespacemaps/status'], verbs: reading },
    { apiGroups: ['sharing.liqo.io'], resources: ['advertisements'], verbs: reading },
    { apiGroups: ['sharing.liqo.io'], resources: ['advertisements/status'], verbs: ['patch'] },
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: [fixedNames.offerKubeconfigSecret],
      verbs: ['get'],
    },
  ],
};

const writtenByConsumers = [
  ...Object.values(reflectedKinds).map(({ kind }) => kind),
  CoreEvent,
  PersistentVolumeClaim,
];

/** Bound in every namespace made for a consumer to its virtual kubelets. Nobody creates pods: shadow pods become pods. */
const remoteVirtualKubelet: ClusterRole = {
  metadata: {
    name: 'liqo-virtual-kubelet-remote',
    labels: { 'app.kubernetes.io/name': 'virtual-kubelet-remote' },
  },
  rules: [
    ...ruleOfEach(writtenByConsumers, everything),
    { apiGroups: [''], resources: ['pods'], verbs: reading },
    { apiGroups: [''], resources: ['pods/log'], verbs: ['get', 'list'] },
    {
      apiGroups: [''],
      resources: ['pods/attach', 'pods/exec', 'pods/portforward'],
      verbs: ['create', 'get'],
    },
    { apiGroups: ['metrics.k8s.io'], resources: ['pods'], verbs: reading },
    {
      apiGroups: ['offloading.liqo.io'],
      resources: ['shadowpods', 'shadowendpointslices'],
      verbs: everything,
    },
  ],
};

/** Bound to every consumer in the whole cluster. */
const remoteVirtualKubeletEverywhere: ClusterRole = {
  metadata: {
    name: 'liqo-virtual-kubelet-remote-clusterwide',
    labels: { 'app.kubernetes.io/name': 'virtual-kubelet-remote-clusterwide' },
  },
  rules: [{ apiGroups: ['metrics.liqo.io'], resources: ['scrape/metrics'], verbs: reading }],
};

/** What peers may do here: the names and rules that every Liqo grants, without its wildcards. */
export const peerRoles: readonly ClusterRole[] = [
  remoteControlPlane,
  remoteVirtualKubelet,
  remoteVirtualKubeletEverywhere,
];
