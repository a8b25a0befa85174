import { text } from 'node:stream/consumers';
import { ApiError } from '@liqo/kube';
import type { ApiAnswer } from '../rest/api-request.ts';
import { askBackend, type Backend, type BackendAnswer, type BackendRequest } from './backend.ts';

/** A connection to a backend, switched to the protocol that was asked for; what it carries is not looked at. */
export async function switchBackend(backend: Backend, request: BackendRequest): Promise<ApiAnswer> {
  return answerUpgrade(await askToSwitch(backend, request));
}

/** Asks a backend for another protocol; refuses as the API server does when it cannot be asked. */
export function askToSwitch(backend: Backend, request: BackendRequest): Promise<BackendAnswer> {
  return askBackend(backend, request).catch((error: Error) => {
    throw new ApiError({ code: 500, message: `error dialing backend: ${error.message}` });
  });
}

/** The switched connection, or the words in which the backend refused, unchanged. */
export async function answerUpgrade(answer: BackendAnswer): Promise<ApiAnswer> {
  const { status, headers } = answer;
  if ('connection' in answer) return { status, headers, upgraded: answer.connection };
  const body = await text(answer.body);
  if (status >= 400) return { status, headers, body };
  throw new ApiError({ code: 500, message: `invalid upgrade response: status code ${status}` });
}
