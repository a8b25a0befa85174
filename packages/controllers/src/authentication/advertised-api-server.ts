import { ConfigMap, deepEqual, Node, type ObjectKey } from '@liqo/kube';
import { apiServerUrl, controlPlaneLabels } from '@liqo/model';
import { mapped } from '@liqo/runtime';
import type { ControlLoop, LoopOptions } from '../control-loop.ts';

/** What consumers are told of the API server of this cluster, as far as the administrator says. */
export interface ApiServerOptions {
  /** Empty: the address of a control-plane node. */
  readonly address: string;
  /** PEM; empty: the authority of this cluster. */
  readonly ca: string;
  /** Consumers trust the API server by an authority that they know anyhow. */
  readonly isTrusted: boolean;
}

type AdvertisedApiServer =
  | { readonly type: 'known'; readonly apiServer: string; readonly ca?: string }
  | { readonly type: 'unknown'; readonly reason: string; readonly message: string };

export interface ApiServerAdvertiser {
  read(): AdvertisedApiServer;
  /** Of a controller that looks at these keys when the answer may be another one. */
  sources(keys: () => readonly ObjectKey[]): LoopOptions['sources'];
}

/** In every namespace of a cluster, with the key `ca.crt`. */
const rootCa = 'kube-root-ca.crt';

/** Where consumers reach the API server of this cluster, and by which authority they trust it. */
export function watchApiServer(
  loop: ControlLoop,
  liqoNamespace: string,
  { address, ca, isTrusted }: ApiServerOptions,
): ApiServerAdvertiser {
  const nodes =
    address === ''
      ? controlPlaneLabels.map((labelSelector) => loop.watch(Node, { labelSelector }))
      : [];
  const selection = { namespace: liqoNamespace, fieldSelector: `metadata.name=${rootCa}` };
  const authority = ca === '' && !isTrusted ? loop.watch(ConfigMap, selection) : undefined;
  const readCa = () =>
    authority?.get({ namespace: liqoNamespace, name: rootCa })?.data?.['ca.crt'] ?? ca;
  return {
    read() {
      const apiServer = apiServerUrl(
        address,
        nodes.map((cache) => cache.list()),
      );
      if (apiServer === undefined) return unknownAddress;
      if (isTrusted) return { type: 'known', apiServer };
      const pem = readCa();
      if (pem === '') return unknownAuthority;
      return { type: 'known', apiServer, ca: Buffer.from(pem).toString('base64') };
    },
    sources: (keys) => [
      ...nodes.map((cache) => mapped(cache, keys, hasOtherAddresses)),
      ...(authority ? [mapped(authority, keys)] : []),
    ],
  };
}

function hasOtherAddresses(before: Node, after: Node): boolean {
  return !deepEqual(before.status?.addresses, after.status?.addresses);
}

const unknownAddress: AdvertisedApiServer = {
  type: 'unknown',
  reason: 'UnknownApiServerAddress',
  message: `no node has the label "${controlPlaneLabels[0]}" and an address: set the value "apiServer.address" of the chart`,
};

const unknownAuthority: AdvertisedApiServer = {
  type: 'unknown',
  reason: 'UnknownCertificateAuthority',
  message: `the ConfigMap "${rootCa}" in the namespace of the installation has no key "ca.crt": set the value "apiServer.ca" of the chart`,
};
