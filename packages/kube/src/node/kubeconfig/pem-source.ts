import { readFile } from 'node:fs/promises';
import { whyUnreadable } from './file-problem.ts';
import type { Permission } from './kubeconfig-trust.ts';
import type { Place } from './place.ts';

/** A PEM text inside the kubeconfig, or the file that holds it. */
export type PemSource = {
  /** The key that is set, and where it is. */
  readonly key: string;
  readonly place: Place;
} & ({ readonly pem: string } | { readonly file: string });

type PemKey = 'certificate-authority' | 'client-certificate' | 'client-key';

type PemFields = { readonly [K in PemKey | `${PemKey}-data`]?: string };

/** The one of `key` and `key-data` that is set. */
export function pemSource(
  entry: PemFields,
  key: PemKey,
  place: Place,
  files: Permission,
): PemSource | undefined {
  const { [key]: file, [`${key}-data` as const]: data } = entry;
  if (file && data) {
    throw place.key(key).problem(`is set, and so is "${key}-data"; remove one of them`);
  }
  if (data) {
    const pem = Buffer.from(data, 'base64').toString('utf8');
    return { key: `${key}-data`, place: place.key(`${key}-data`), pem };
  }
  if (!file) return undefined;
  if (files === 'forbidden') throw fileRefusal(place.key(key), `${key}-data`);
  return { key, place: place.key(key), file };
}

export async function readPem(source: PemSource): Promise<string> {
  return 'pem' in source ? source.pem : readReferredFile(source.file, source.place);
}

/** Reads a file that a kubeconfig names; the error points at the place where it does. */
export async function readReferredFile(file: string, place: Place): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw place.problem(`cannot read "${file}": ${whyUnreadable(error)}`, error);
  }
}

export function fileRefusal(place: Place, instead: string) {
  return place.problem(
    `names a file, and this kubeconfig is not trusted to have files read; put the content in "${instead}"`,
  );
}
