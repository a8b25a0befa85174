import { ConfigMap, deepEqual, isAlreadyExists, Namespace, type Stored } from '@liqo/kube';
import type { ControllerContext } from './controller-context.ts';
import { isNamespaceActive } from './service-account-controller.ts';

const name = 'kube-root-ca.crt';
const annotations = {
  'kubernetes.io/description':
    'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
};

/** Every namespace has the certificate authority of the API server, and nobody may change what it says. */
export function startRootCertificateController(
  context: ControllerContext,
  rootCertificate: string,
): void {
  const namespaces = context.informer(Namespace);
  const configMaps = context.informer(ConfigMap);
  const data = { 'ca.crt': rootCertificate };
  const loop = context.loop('root-ca', async (namespace) => {
    const home = namespaces.get({ name: namespace });
    if (!home || !isNamespaceActive(home)) return undefined;
    const present = configMaps.get({ namespace, name });
    if (present) {
      if (!isIntact(present, data)) await configMaps.update(repaired(present, data));
      return undefined;
    }
    try {
      await configMaps.create({ metadata: { namespace, name, annotations }, data });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    return undefined;
  });
  namespaces.onChange((current) => current && loop.add(current.metadata.name));
  configMaps.onChange((current, previous) => {
    const { metadata } = current ?? previous ?? {};
    if (metadata?.name === name) loop.add(metadata.namespace ?? '');
  });
}

function isIntact({ data, metadata }: Stored<ConfigMap>, wanted: ConfigMap['data']): boolean {
  return deepEqual(data, wanted) && Boolean(metadata.annotations?.['kubernetes.io/description']);
}

function repaired(present: Stored<ConfigMap>, data: Record<string, string>): Stored<ConfigMap> {
  const { metadata } = present;
  return {
    ...present,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } },
    data,
  };
}
