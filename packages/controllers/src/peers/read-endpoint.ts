import { X509Certificate } from 'node:crypto';
import { parseKubeconfig, selectContext } from '@liqo/kube/node';
import type { PeerEndpoint } from '@liqo/model';

/** What can be said of a kubeconfig without connecting. Never throws: what cannot be read is left out. */
export function readEndpoint(kubeconfig: string): PeerEndpoint {
  try {
    const { cluster, user } = selectContext(parseKubeconfig(kubeconfig, 'the kubeconfig'));
    const { server, 'proxy-url': proxyUrl } = cluster.cluster;
    const expiresMs = readExpiry(user.user['client-certificate-data']);
    return {
      ...(server && { server }),
      ...(proxyUrl && { proxyUrl }),
      ...(expiresMs !== undefined && { expiresMs }),
    };
  } catch {
    // The connection says what is wrong with it.
    return {};
  }
}

function readExpiry(certificateData: string | undefined): number | undefined {
  if (!certificateData) return undefined;
  try {
    const { validTo } = new X509Certificate(Buffer.from(certificateData, 'base64'));
    const expiresMs = Date.parse(validTo);
    return Number.isNaN(expiresMs) ? undefined : expiresMs;
  } catch {
    // The API server refuses what is no certificate: the probe reports that.
    return undefined;
  }
}
