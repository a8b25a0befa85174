import type { ApiAnswer } from '../rest/api-request.ts';

export function plainText(status: number, body: string): ApiAnswer {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  };
  return { status, headers, body };
}
