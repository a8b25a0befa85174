import type * as node from 'kubernetes-types/node/v1.d.ts';
import { defineKind } from '../kind.ts';

export type RuntimeClass = node.RuntimeClass;
export const RuntimeClass = defineKind<RuntimeClass>({
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  scope: 'Cluster',
});
