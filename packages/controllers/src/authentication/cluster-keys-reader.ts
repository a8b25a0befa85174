import { fixedNames } from '@liqo/api';
import { keyString, type ObjectKey, type Secret, type Stored } from '@liqo/kube';
import type { CachedReader } from '@liqo/runtime';
import { type ClusterKeys, type ReadKeys, readClusterKeys } from './cluster-keys.ts';

/** The keys of this cluster as the cache has them, read once for each version of their Secret. */
export class ClusterKeysReader {
  readonly key: ObjectKey;
  readonly #secrets: CachedReader<Secret>;
  #known: { readonly secret: Stored<Secret>; readonly read: ReadKeys } | undefined;

  constructor(secrets: CachedReader<Secret>, liqoNamespace: string) {
    this.#secrets = secrets;
    this.key = { namespace: liqoNamespace, name: fixedNames.authenticationKeysSecret };
  }

  get keys(): ClusterKeys | undefined {
    const read = this.#read();
    return read?.type === 'keys' ? read.keys : undefined;
  }

  /** Why there are no keys; undefined if there are. */
  whyMissing(): string | undefined {
    const read = this.#read();
    const secret = `the Secret "${keyString(this.key)}"`;
    if (!read) return `${secret} does not exist yet`;
    return read.type === 'keys' ? undefined : `${secret} cannot be used: ${read.message}`;
  }

  #read(): ReadKeys | undefined {
    const secret = this.#secrets.get(this.key);
    if (!secret) return undefined;
    if (this.#known?.secret !== secret) this.#known = { secret, read: readClusterKeys(secret) };
    return this.#known.read;
  }
}
