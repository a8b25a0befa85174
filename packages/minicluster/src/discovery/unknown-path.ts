import type { PathHandler } from '../rest/api-server.ts';
import type { Registry } from '../rest/registry.ts';
import { plainText } from './plain-text.ts';

/**
 * Below the server's own groups it is a resource that is missing, and the server says so as an API does. Everything else
 * is not there in plain words.
 */
export function unknownPathHandler(registry: Registry): PathHandler {
  return ({ info }) => {
    const [root, group] = info.path.split('/').filter(Boolean);
    const isOwn = registry.all().some((one) => one.group === group && !one.custom);
    if (root === 'api' || (root === 'apis' && isOwn)) return undefined;
    return Promise.resolve(plainText(404, '404 page not found\n'));
  };
}
