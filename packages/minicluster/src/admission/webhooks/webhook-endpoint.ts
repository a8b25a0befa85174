import { isIP } from 'node:net';
import { Service } from '@liqo/kube';
import type { WebhookClientConfig } from 'kubernetes-types/admissionregistration/v1.d.ts';
import type { Store } from '../../store/store.ts';
import { readOne } from '../read-store.ts';
import type { Address, ResolveService } from './resolve-service.ts';

/** Where a webhook is called, and who has to be there. */
export interface WebhookEndpoint {
  readonly url: URL;
  readonly address: Address;
  /** What it is called in the request, with the port of a service even if it is the usual one. */
  readonly authority: string;
  /** The name in its certificate; undefined for an address. */
  readonly serverName: string | undefined;
  readonly ca: string | undefined;
}

/** The URL as it is told in errors, with the time the webhook has. */
export function webhookUrl(config: WebhookClientConfig, timeoutSeconds: number): URL {
  const url = new URL(config.url ?? serviceUrl(config));
  url.searchParams.set('timeout', `${timeoutSeconds}s`);
  return url;
}

function serviceUrl({ service }: WebhookClientConfig): string {
  const { name, namespace, port = 443, path = '' } = service ?? { name: '', namespace: '' };
  return `https://${name}.${namespace}.svc:${port}${path}`;
}

/** As Go prints it: with the port even if it is the usual one. */
export function printUrl(url: URL, { service }: WebhookClientConfig): string {
  const port = service?.port ?? 443;
  const isShortened = service !== undefined && url.port === '';
  return isShortened ? url.href.replace(url.hostname, `${url.hostname}:${port}`) : url.href;
}

/** Throws an error with the fact when a service leads nowhere. */
export function locateWebhook(
  { service, caBundle }: WebhookClientConfig,
  url: URL,
  store: Store,
  resolve: ResolveService,
): WebhookEndpoint {
  const ca = caBundle ? Buffer.from(caBundle, 'base64').toString() : undefined;
  if (service) {
    const { namespace, name, port = 443 } = service;
    const serverName = `${name}.${namespace}.svc`;
    const authority = `${serverName}:${port}`;
    const address = resolve(namespace, name, port);
    if (address) return { url, address, authority, serverName, ca };
    throw new Error(whyNowhere(store, namespace, name));
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const address = { host, port: Number(url.port || 443) };
  return { url, address, authority: url.host, serverName: isIP(host) ? undefined : host, ca };
}

function whyNowhere(store: Store, namespace: string, name: string): string {
  const isThere = readOne(store, Service, { namespace, name }) !== undefined;
  return isThere ? `no endpoints available for service "${name}"` : `service "${name}" not found`;
}
