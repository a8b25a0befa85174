import type { PathHandler } from '../rest/api-server.ts';
import type { Registry } from '../rest/registry.ts';
import { discoveryHandler } from './discovery-handler.ts';
import { healthHandler } from './health.ts';
import { openApiHandler } from './openapi-handler.ts';
import { versionHandler } from './server-version.ts';
import { unknownPathHandler } from './unknown-path.ts';

/** Everything a server answers besides resources. `serverAddress` says where clients reach it: `host:port`. */
export function discoveryPaths(options: {
  readonly registry: Registry;
  serverAddress(): string;
}): readonly PathHandler[] {
  const { registry, serverAddress } = options;
  return [
    discoveryHandler(registry, serverAddress),
    versionHandler,
    healthHandler,
    openApiHandler(registry),
    unknownPathHandler(registry),
  ];
}
