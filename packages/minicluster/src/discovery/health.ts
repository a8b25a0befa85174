import type { ApiAnswer } from '../rest/api-request.ts';
import type { PathHandler } from '../rest/api-server.ts';
import { plainText } from './plain-text.ts';

/** A server that can answer is well: everything it stands on is in the same process. */
const checks = ['ping', 'log'];

/** `/healthz`, `/livez`, `/readyz`, and each of their checks. */
export const healthHandler: PathHandler = ({ info, query }) => {
  const [, endpoint, check] = /^\/(healthz|livez|readyz)(?:\/([^/]*))?\/?$/.exec(info.path) ?? [];
  if (!endpoint || (check && !checks.includes(check))) return undefined;
  const isVerbose = query.has('verbose') && !check;
  return Promise.resolve(isVerbose ? report(endpoint) : plainText(200, 'ok'));
};

function report(endpoint: string): ApiAnswer {
  const lines = checks.map((check) => `[+]${check} ok`);
  return plainText(200, [...lines, `${endpoint} check passed`, ''].join('\n'));
}
