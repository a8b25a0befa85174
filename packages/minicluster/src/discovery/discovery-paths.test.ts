import { expect, test } from 'vitest';
import recorded from './discovery.vectors.json' with { type: 'json' };
import { askedServer } from './testing/asked-server.ts';

/** What a kube-apiserver 1.35.4 answered, without the groups and resources that are not served here. */
interface Document {
  readonly path: string;
  readonly accept: string;
  readonly body: object;
}

const documents = recorded.map((text): Document => JSON.parse(text));
const ask = askedServer();

test.each(documents.map((one) => [one.path, one] as const))(
  'discoveryPaths() answers %s as the real server does',
  async (_, { path, accept, body }) => {
    const answer = await ask(path, { accept });
    const own = answer?.body;
    expect(typeof own === 'string' ? JSON.parse(own) : own).toEqual(body);
  },
);
