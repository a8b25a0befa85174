import type { ApiRequest } from './api-request.ts';

/** How a client wants objects: the first of its `Accept` alternatives that the server has. */
export type Form = 'object' | 'metadata' | 'table';

export function readForm(request: ApiRequest): Form {
  for (const alternative of (request.headers.accept ?? '').split(',')) {
    const [type, ...parameters] = alternative.split(';').map((part) => part.trim());
    if (type !== 'application/json' && type !== '*/*') continue;
    const as = parameters.find((parameter) => parameter.startsWith('as='))?.slice(3);
    if (as === 'Table') return 'table';
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return 'metadata';
    if (as === undefined) return 'object';
  }
  return 'object';
}
