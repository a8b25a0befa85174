import {
  ForeignCluster,
  fixedNames,
  labels,
  NamespaceOffloading,
  ResourceSlice,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import type { Kind, ValidatingWebhookConfiguration } from '@liqo/kube';
import type { Values } from '../values.ts';
import { celAnnotations, celLabels, celSpec, forgeHook } from './forge-hook.ts';

type Webhook = NonNullable<ValidatingWebhookConfiguration['webhooks']>[number];

interface OwnKindWebhook {
  readonly name: string;
  readonly path: string;
  readonly kind: Kind;
  /** Whether the label `liqo.io/webhook-skip=true` of an object keeps it from being asked about. */
  readonly isSkippable: boolean;
}

const mutating: readonly OwnKindWebhook[] = [
  {
    name: 'fc.mutate.liqo.io',
    path: '/mutate/foreign-cluster',
    kind: ForeignCluster,
    isSkippable: true,
  },
  { name: 'tenant.mutate.liqo.io', path: '/mutate/tenants', kind: Tenant, isSkippable: true },
];

const validating: readonly OwnKindWebhook[] = [
  {
    name: 'fc.validate.liqo.io',
    path: '/validate/foreign-cluster',
    kind: ForeignCluster,
    isSkippable: true,
  },
  {
    name: 'nsoff.validate.liqo.io',
    path: '/validate/namespace-offloading',
    kind: NamespaceOffloading,
    isSkippable: true,
  },
  {
    name: 'resourceslice.validate.liqo.io',
    path: '/validate/resourceslices',
    kind: ResourceSlice,
    // Consumers write slices.
    isSkippable: false,
  },
  { name: 'tenant.validate.liqo.io', path: '/validate/tenants', kind: Tenant, isSkippable: true },
  {
    name: 'virtualnode.validate.liqo.io',
    path: '/validate/virtualnodes',
    kind: VirtualNode,
    isSkippable: true,
  },
];

/** The kinds whose objects can be labelled not to be asked about. */
export const skippableKinds: readonly Kind[] = [
  ...new Set(
    [...mutating, ...validating].filter((hook) => hook.isSkippable).map(({ kind }) => kind),
  ),
];

/** The webhooks about the kinds that users of this cluster, and peers, write. */
export function forgeOwnKindsWebhooks(values: Values, type: 'mutating' | 'validating'): Webhook[] {
  const hooks = type === 'mutating' ? mutating : validating;
  return hooks.map((hook) => forgeWebhook(values, hook));
}

const isChanged = [celSpec, celLabels, celAnnotations]
  .map((partOf) => `${partOf('object')} != ${partOf('oldObject')}`)
  .join(' || ');

/**
 * Updates of finalizers and owners are not asked about: without webhooks, what is deleted still goes. Neither are the controllers,
 * which check the same and report it in the status: without webhooks, they go on.
 */
function forgeWebhook(values: Values, { name, path, kind, isSkippable }: OwnKindWebhook): Webhook {
  const controllers = `system:serviceaccount:${values.namespace}:${fixedNames.controllerManager}`;
  return {
    ...forgeHook(values, name, path),
    failurePolicy: 'Fail',
    ...(isSkippable && {
      objectSelector: {
        matchExpressions: [{ key: labels.webhookSkip, operator: 'NotIn', values: ['true'] }],
      },
    }),
    matchConditions: [
      { name: 'changed', expression: `request.operation != 'UPDATE' || ${isChanged}` },
      { name: 'by-others', expression: `request.userInfo.username != '${controllers}'` },
    ],
    rules: [
      {
        apiGroups: [kind.group],
        apiVersions: [kind.version],
        operations: ['CREATE', 'UPDATE'],
        resources: [kind.plural],
        scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      },
    ],
  };
}
