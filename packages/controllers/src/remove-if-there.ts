import {
  type Client,
  type DeleteOptions,
  isNotFound,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from '@liqo/kube';

/** That very object, and not a later one of its name. */
interface Condemned {
  readonly metadata: ObjectKey & { readonly uid: string };
}

export async function removeIfThere<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  { metadata }: Condemned,
  options: Omit<DeleteOptions, 'preconditions'>,
): Promise<void> {
  const { namespace, name, uid } = metadata;
  try {
    await client.delete(kind, { namespace, name }, { ...options, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
