import type * as apps from 'kubernetes-types/apps/v1.d.ts';
import { defineKind } from '../kind.ts';

export type ControllerRevision = apps.ControllerRevision;
export const ControllerRevision = defineKind<ControllerRevision>({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  scope: 'Namespaced',
});

export type DaemonSet = apps.DaemonSet;
export const DaemonSet = defineKind<DaemonSet>({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  scope: 'Namespaced',
});

export type Deployment = apps.Deployment;
export const Deployment = defineKind<Deployment>({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  scope: 'Namespaced',
});

export type ReplicaSet = apps.ReplicaSet;
export const ReplicaSet = defineKind<ReplicaSet>({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  scope: 'Namespaced',
});

export type StatefulSet = apps.StatefulSet;
export const StatefulSet = defineKind<StatefulSet>({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  scope: 'Namespaced',
});
