import type * as rbac from 'kubernetes-types/rbac/v1.d.ts';
import { defineKind } from '../kind.ts';

export type ClusterRole = rbac.ClusterRole;
export const ClusterRole = defineKind<ClusterRole>({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  scope: 'Cluster',
});

export type ClusterRoleBinding = rbac.ClusterRoleBinding;
export const ClusterRoleBinding = defineKind<ClusterRoleBinding>({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  scope: 'Cluster',
});

export type Role = rbac.Role;
export const Role = defineKind<Role>({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  plural: 'roles',
  scope: 'Namespaced',
});

export type RoleBinding = rbac.RoleBinding;
export const RoleBinding = defineKind<RoleBinding>({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  plural: 'rolebindings',
  scope: 'Namespaced',
});
