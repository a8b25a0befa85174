import { type Client, ConfigMap, Namespace, ServiceAccount } from '@liqo/kube';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';

/** The cluster a suite judges: any API server that claims to be Kubernetes, with its controllers running. */
export interface Subject {
  /** As an administrator. */
  readonly client: Client;
  /** What the server has warned that client of. */
  readonly warnings: readonly string[];
  /** Makes every version up to now too old to watch or list from. */
  forgetHistory(): Promise<void>;
}

/** Who a further client is: a user by a certificate of the cluster, the holder of a token or certificate, nobody. */
export type Identity =
  | { readonly name: string; readonly groups: readonly string[] }
  | { readonly token: string }
  | { readonly certificate: string; readonly privateKey: string }
  | 'nobody';

/** A cluster that lets others in too, each with what they may do. */
export interface SubjectWithUsers extends Subject {
  /** Disposed of by whoever asked for it. */
  as(who: Identity): Promise<Client>;
}

export type GetSubjectWithUsers = () => SubjectWithUsers;

/** Suites are declared before their cluster is up, so they ask for it when a test runs. */
export type GetSubject = () => Subject;

/** A namespace of the test's own, ready for pods, with all that controllers put into a new one. */
export async function freshNamespace(
  { client }: Subject,
  labels: Readonly<Record<string, string>> = {},
): Promise<string> {
  const metadata = { generateName: 'test-', labels };
  const { name: namespace } = (await client.create(Namespace, { metadata })).metadata;
  const account = { namespace, name: 'default' };
  const certificate = { namespace, name: 'kube-root-ca.crt' };
  await eventually(async () => {
    expect(await client.get(ServiceAccount, account)).toBeDefined();
    expect(await client.get(ConfigMap, certificate)).toBeDefined();
  });
  return namespace;
}
