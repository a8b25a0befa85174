import type { ByteStream, CallSignal } from '@liqo/kube';
import type { User } from '../auth/user.ts';
import type { IncomingRequest } from './api-server.ts';
import type { RequestInfo } from './request-info.ts';

/** A request that has been read and authenticated. */
export interface ApiRequest {
  readonly method: string;
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly user: User;
  readonly signal: CallSignal;
  /** As it arrived, for whoever passes it on; absent when nobody sent it. */
  readonly sent?: IncomingRequest;
  /** Tells the client something about its request in a `Warning` header, whatever the answer. */
  warn(message: string): void;
}

export interface ApiAnswer {
  readonly status: number;
  /** Names in lower case; `content-type` is JSON unless it says otherwise. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON; text and streams are sent as they are. */
  readonly body?: unknown;
  readonly stream?: AsyncIterable<Uint8Array>;
  /** The connection after an upgrade; status 101. */
  readonly upgraded?: ByteStream;
}
