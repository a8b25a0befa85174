import { fixedNames, NamespaceMap, VirtualNode } from '@liqo/api';
import {
  type Client,
  ClusterRole,
  CustomResourceDefinition,
  type Kind,
  type KubeObject,
  Namespace,
  RoleBinding,
} from '@liqo/kube';
import { forgeCustomReflectionAccess, forgeCustomTenantBinding } from '@liqo/model';
import type { OffloadingWorld } from './offloading-world.ts';

/** A custom resource that has nothing to do with Liqo. */
export interface Widget extends KubeObject {
  readonly spec?: { readonly size?: number; readonly color?: string };
  readonly status?: Readonly<Record<string, unknown>>;
}

export const Widget: Kind<Widget> = {
  group: 'example.org',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
};

export const widgets = {
  group: 'example.org',
  version: 'v1',
  plural: 'widgets',
  policy: 'DenyList',
} as const;

const schemaWith = (color: string | undefined) => ({
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        color: { type: 'string', ...(color !== undefined && { default: color }) },
      },
    },
    status: {
      type: 'object',
      properties: { phase: { type: 'string' }, observedGeneration: { type: 'integer' } },
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
});

const definitionWith = (color: string | undefined) => ({
  metadata: { name: 'widgets.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schemaWith(color) },
        subresources: { status: {} },
      },
    ],
  },
});

/** With a color that objects have by default, if one is given. */
export async function defineWidgets(admin: Client, color?: string): Promise<void> {
  await admin.create(CustomResourceDefinition, definitionWith(color) as CustomResourceDefinition);
}

/** What an administrator grants at the consumer, bound as the controllers bind it. */
export async function grantWidgetsLocally({ home: { admin } }: OffloadingWorld): Promise<void> {
  const role: ClusterRole = {
    metadata: { name: fixedNames.customReflectionRole },
    rules: [
      { apiGroups: ['example.org'], resources: ['widgets'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['example.org'], resources: ['widgets/status'], verbs: ['patch'] },
    ],
  };
  await admin.create(ClusterRole, role);
  const facts = {
    providerClusterID: 'milan',
    liqoNamespace: 'liqo',
    namespace: await admin.get(Namespace, { name: 'shop' }),
    maps: (await admin.list(NamespaceMap)).items,
    virtualNodes: (await admin.list(VirtualNode)).items,
  };
  const binding = forgeCustomReflectionAccess(facts, role);
  if (binding) await admin.create(RoleBinding, binding);
}

/** The same at the provider. */
export async function grantWidgetsRemotely({ away: { admin } }: OffloadingWorld): Promise<void> {
  const verbs = ['create', 'delete', 'get', 'list', 'patch', 'watch'];
  await admin.create(ClusterRole, {
    metadata: { name: fixedNames.customRemoteRole },
    rules: [{ apiGroups: ['example.org'], resources: ['widgets'], verbs }],
  });
  const wanted = {
    local: 'shop',
    remote: 'shop-rome',
    consumerClusterID: 'rome',
    liqoNamespace: 'liqo',
    namespaceMapKey: '',
    podSecurity: 'baseline',
  } as const;
  await admin.create(RoleBinding, forgeCustomTenantBinding(wanted, 'liqo-tenant-rome'));
}
