import type * as networking from 'kubernetes-types/networking/v1.d.ts';
import type { StatusCondition } from '../conditions.ts';
import { defineKind } from '../kind.ts';
import type { KubeObject } from '../object.ts';

export type Ingress = networking.Ingress;
export const Ingress = defineKind<Ingress>({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  plural: 'ingresses',
  scope: 'Namespaced',
});

export type IngressClass = networking.IngressClass;
export const IngressClass = defineKind<IngressClass>({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  scope: 'Cluster',
});

export type NetworkPolicy = networking.NetworkPolicy;
export const NetworkPolicy = defineKind<NetworkPolicy>({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  scope: 'Namespaced',
});

/** Newer than the published types: a range of cluster IPs (served as v1 since Kubernetes 1.33). */
export interface ServiceCIDR extends KubeObject {
  readonly spec?: { readonly cidrs?: readonly string[] };
  readonly status?: { readonly conditions?: readonly StatusCondition[] };
}
export const ServiceCIDR = defineKind<ServiceCIDR>({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  plural: 'servicecidrs',
  scope: 'Cluster',
});
