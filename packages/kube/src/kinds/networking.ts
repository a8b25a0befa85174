import type * as networking from 'kubernetes-types/networking/v1.d.ts';
import { defineKind } from '../kind.ts';

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
