import { NamespaceOffloading } from '@liqo/api';
import {
  type Client,
  ConfigMap,
  type KubeObject,
  mergePatch,
  Namespace,
  Secret,
  Service,
  type Stored,
} from '@liqo/kube';
import { namespace, offloading } from './shop.ts';

/** What the people of `rome` do with objects of an offloaded namespace, and others at `milan` with the names of their copies. */
const remoteNamespace = 'shop-rome';
const settings = { namespace, name: 'settings' };
const password = { namespace, name: 'password' };
const web = { namespace, name: 'web' };
/** A name that is taken at the provider. */
const prices = { namespace, name: 'prices' };
const stranger = { namespace: remoteNamespace, name: prices.name };

function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}

export async function createObjects(rome: Client): Promise<void> {
  await rome.create(ConfigMap, { metadata: settings, data: { colour: 'red' } });
  await rome.create(Secret, { metadata: password, data: { password: encode('one') } });
  await rome.create(Service, {
    metadata: web,
    spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  });
}

export async function changeObjects(rome: Client): Promise<void> {
  await rome.patch(ConfigMap, settings, mergePatch({ data: { colour: 'green', size: 'large' } }));
  await rome.patch(Secret, password, mergePatch({ data: { password: encode('two') } }));
  const ports = [{ name: 'http', port: 8080, targetPort: 8080, protocol: 'TCP' as const }];
  await rome.patch(Service, web, mergePatch({ spec: { ports } }));
}

/** Somebody else's object has the name already when ours is created. */
export async function takeName(rome: Client, milan: Client): Promise<void> {
  await milan.create(ConfigMap, { metadata: stranger, data: { owner: 'milan' } });
  await rome.create(ConfigMap, { metadata: prices, data: { bread: '3' } });
  await spoilCopies(milan);
}

/** By hand, as somebody does who knows nothing of the originals. */
async function spoilCopies(milan: Client): Promise<void> {
  const spoilt = mergePatch({ data: { colour: 'black' } });
  await milan.patch(ConfigMap, { ...settings, namespace: remoteNamespace }, spoilt);
  await milan.delete(Secret, { ...password, namespace: remoteNamespace });
}

export async function freeName(milan: Client): Promise<void> {
  await milan.delete(ConfigMap, stranger);
}

export async function deleteObjects(rome: Client): Promise<void> {
  await rome.delete(Secret, password);
  await rome.delete(Service, web);
}

export async function unoffloadNamespace(rome: Client): Promise<void> {
  await rome.delete(NamespaceOffloading, offloading);
}

type Found<T extends KubeObject> = Stored<T> | undefined;

async function copiesAt(milan: Client) {
  const at = (name: string) => ({ namespace: remoteNamespace, name });
  const [map, secret, service] = await Promise.all([
    milan.get(ConfigMap, at(settings.name)) as Promise<Found<ConfigMap>>,
    milan.get(Secret, at(password.name)) as Promise<Found<Secret>>,
    milan.get(Service, at(web.name)) as Promise<Found<Service>>,
  ]);
  return { map, secret, service };
}

/** Whether all copies say this. */
export async function areCopied(
  milan: Client,
  wanted: { readonly colour: string; readonly password: string; readonly port: number },
): Promise<boolean> {
  const { map, secret, service } = await copiesAt(milan);
  return (
    map?.data?.colour === wanted.colour &&
    secret?.data?.password === encode(wanted.password) &&
    service?.spec?.ports?.[0]?.port === wanted.port
  );
}

export async function isStrangerUnchanged(milan: Client): Promise<boolean> {
  return (await milan.get(ConfigMap, stranger))?.data?.owner === 'milan';
}

export async function isPriceCopied(milan: Client): Promise<boolean> {
  return (await milan.get(ConfigMap, stranger))?.data?.bread === '3';
}

export async function areDeleted(milan: Client): Promise<boolean> {
  const { secret, service } = await copiesAt(milan);
  return secret === undefined && service === undefined;
}

export async function isRemoteNamespaceGone(milan: Client): Promise<boolean> {
  return (await milan.get(Namespace, { name: remoteNamespace })) === undefined;
}
