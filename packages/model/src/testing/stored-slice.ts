import { labels, type ResourceSlice } from '@liqo/api';
import type { Stored } from '@liqo/kube';

type SliceParts = Partial<Pick<ResourceSlice, 'spec' | 'status'>> & {
  readonly annotations?: Readonly<Record<string, string>>;
};

/** The slice "mypool" of the consumer "rome", as the provider "milan" has it. */
export function storedSlice({ annotations, spec, status }: SliceParts = {}): Stored<ResourceSlice> {
  return {
    apiVersion: 'authentication.liqo.io/v1beta1',
    kind: 'ResourceSlice',
    metadata: {
      name: 'mypool',
      namespace: 'liqo-tenant-rome',
      uid: 'slice-uid',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { [labels.replicated]: 'true', [labels.replicationOrigin]: 'rome' },
      ...(annotations && { annotations: { ...annotations } }),
    },
    spec: { class: 'default', consumerClusterID: 'rome', providerClusterID: 'milan', ...spec },
    ...(status && { status }),
  };
}
