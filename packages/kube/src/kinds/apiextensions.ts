import type * as apiextensions from 'kubernetes-types/apiextensions/v1.d.ts';
import { defineKind } from '../kind.ts';

export type CustomResourceDefinition = apiextensions.CustomResourceDefinition;
export const CustomResourceDefinition = defineKind<CustomResourceDefinition>({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
});
