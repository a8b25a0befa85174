import { createHash } from 'node:crypto';
import type { ApiAnswer } from '../rest/api-request.ts';
import type { PathHandler } from '../rest/api-server.ts';
import type { Registry } from '../rest/registry.ts';
import { apiGroups } from './group-versions.ts';
import { documentPath, openApiDocument } from './openapi-document.ts';

interface Document {
  readonly text: string;
  readonly hash: string;
}

const root = '/openapi/v3';

/** `/openapi/v3`, an index of documents with their hashes, and the documents: one for each group version. */
export function openApiHandler(registry: Registry): PathHandler {
  const documents = new Documents(registry);
  return ({ info, query }) => {
    if (info.path === root) return Promise.resolve(indexOf(documents));
    if (!info.path.startsWith(`${root}/`)) return undefined;
    const path = info.path.slice(root.length + 1);
    return Promise.resolve(answer(path, documents.all().get(path), query.get('hash')));
  };
}

/** They are built when they are first asked for, and again when what is served has changed. */
class Documents {
  readonly #registry: Registry;
  #documents: ReadonlyMap<string, Document> | undefined;

  constructor(registry: Registry) {
    this.#registry = registry;
    registry.onChange(() => {
      this.#documents = undefined;
    });
  }

  all(): ReadonlyMap<string, Document> {
    this.#documents ??= new Map(
      apiGroups(this.#registry)
        .flatMap(({ versions }) => versions)
        .map((served) => [documentPath(served), hashed(openApiDocument(served))]),
    );
    return this.#documents;
  }
}

function hashed(document: object): Document {
  const text = JSON.stringify(document);
  return { text, hash: createHash('sha512').update(text).digest('hex').toUpperCase() };
}

function indexOf(documents: Documents): ApiAnswer {
  const paths = [...documents.all()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, { hash }]) => [path, { serverRelativeURL: `${root}/${path}?hash=${hash}` }]);
  return { status: 200, body: { paths: Object.fromEntries(paths) } };
}

/** With its hash a document can be kept for ever; with an old hash the client is sent to the new one. */
function answer(path: string, document: Document | undefined, asked: string | null): ApiAnswer {
  if (!document) return { status: 404 };
  const { text, hash } = document;
  const headers = { 'content-type': 'application/json', etag: `"${hash}"`, vary: 'Accept' };
  if (asked !== null && asked !== hash) {
    return { status: 301, headers: { ...headers, location: `${root}/${path}?hash=${hash}` } };
  }
  const lasting = { 'cache-control': 'public, immutable' };
  return { status: 200, headers: { ...headers, ...(asked !== null && lasting) }, body: text };
}
