import type * as core from 'kubernetes-types/core/v1.d.ts';
import { defineKind } from '../kind.ts';

export type ConfigMap = core.ConfigMap;
export const ConfigMap = defineKind<ConfigMap>({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});

export type Endpoints = core.Endpoints;
export const Endpoints = defineKind<Endpoints>({
  apiVersion: 'v1',
  kind: 'Endpoints',
  plural: 'endpoints',
  scope: 'Namespaced',
});

export type LimitRange = core.LimitRange;
export const LimitRange = defineKind<LimitRange>({
  apiVersion: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  scope: 'Namespaced',
});

export type Namespace = core.Namespace;
export const Namespace = defineKind<Namespace>({
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
});

export type Node = core.Node;
export const Node = defineKind<Node>({
  apiVersion: 'v1',
  kind: 'Node',
  plural: 'nodes',
  scope: 'Cluster',
});

export type PersistentVolume = core.PersistentVolume;
export const PersistentVolume = defineKind<PersistentVolume>({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  scope: 'Cluster',
});

export type PersistentVolumeClaim = core.PersistentVolumeClaim;
export const PersistentVolumeClaim = defineKind<PersistentVolumeClaim>({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  scope: 'Namespaced',
});

export type Pod = core.Pod;
export const Pod = defineKind<Pod>({
  apiVersion: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
});

export type PodTemplate = core.PodTemplate;
export const PodTemplate = defineKind<PodTemplate>({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  scope: 'Namespaced',
});

export type ReplicationController = core.ReplicationController;
export const ReplicationController = defineKind<ReplicationController>({
  apiVersion: 'v1',
  kind: 'ReplicationController',
  plural: 'replicationcontrollers',
  scope: 'Namespaced',
});

export type ResourceQuota = core.ResourceQuota;
export const ResourceQuota = defineKind<ResourceQuota>({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  scope: 'Namespaced',
});

export type Secret = core.Secret;
export const Secret = defineKind<Secret>({
  apiVersion: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  scope: 'Namespaced',
});

export type Service = core.Service;
export const Service = defineKind<Service>({
  apiVersion: 'v1',
  kind: 'Service',
  plural: 'services',
  scope: 'Namespaced',
});

export type ServiceAccount = core.ServiceAccount;
export const ServiceAccount = defineKind<ServiceAccount>({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  scope: 'Namespaced',
});
