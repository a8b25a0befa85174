import type { Route } from '../route.ts';

/** What a request is to the authorizer: a verb on a subresource of the node. */
export interface NodeQuestion {
  readonly verb: 'get' | 'create';
  /** Any one of them that may be used is enough. */
  readonly subresources: readonly string[];
}

/**
 * As kubelets map their paths, with the fine-grained subresources of KEP-2862. Streams are `create` whatever the method:
 * a WebSocket begins with a GET, and to run a command is not to read.
 */
export function nodeQuestion({ type }: Route): NodeQuestion {
  switch (type) {
    case 'healthz':
      return { verb: 'get', subresources: ['healthz', 'proxy'] };
    case 'pods':
      return { verb: 'get', subresources: ['pods', 'proxy'] };
    case 'stats':
      return { verb: 'get', subresources: ['stats'] };
    case 'metrics':
      return { verb: 'get', subresources: ['metrics'] };
    case 'logs':
      return { verb: 'get', subresources: ['proxy'] };
    case 'stream':
      return { verb: 'create', subresources: ['proxy'] };
  }
}
