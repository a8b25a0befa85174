import type { CallSignal } from './call-signal.ts';

/**
 * How bytes reach an API server. `kube/node` has the transport over the network; tests hand in one that answers in the
 * same process. A transport knows nothing of Kubernetes but credentials: it authenticates every request by itself.
 */
export interface Transport extends AsyncDisposable {
  /** `host:port` of the server, for metrics. */
  readonly host: string;
  /** Who it is to the server, where that can be replaced. */
  readonly credentials?: ReplaceableCredentials | undefined;

  /**
   * Sends a request and resolves when the response's headers are there, whatever the status.
   * Rejects with a `TransportError` when no response was had, with the signal's reason when it aborts, and with a
   * `TransportClosedError` when the transport is disposed. The same is true of a body that is not complete.
   */
  send(request: TransportRequest, signal?: CallSignal): Promise<TransportResponse>;

  /**
   * Asks for another protocol on a connection of its own (exec, attach, port-forward). Resolves with the raw
   * connection once the server has switched, or with the response that says why it has not. The connection then belongs
   * to the caller; the signal has nothing to do with it any more.
   */
  upgrade(
    request: TransportRequest,
    signal?: CallSignal,
  ): Promise<UpgradedConnection | TransportResponse>;
}

export interface ReplaceableCredentials {
  /**
   * Uses those of another transport from now on: what is under way ends as it began. Resolves to false, and nothing has changed,
   * if the other one leads to another place.
   */
  replaceWith(others: ReplaceableCredentials): Promise<boolean>;
}

export interface TransportRequest {
  readonly method: string;
  /** Path and query, starting with a slash. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /**
   * Called synchronously at the last moment before the request leaves the process, after any wait for a connection or for
   * credentials, and again before it is sent a second time. An error that it throws keeps the request back and rejects the
   * call.
   */
  readonly beforeSending?: () => void;
}

/** The body is read once, by one of its readers; an unread body holds its stream open until `discard`. */
export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  text(): Promise<string>;
  chunks(): AsyncIterable<Uint8Array>;
  /** What the text says, from a server in the same process, to which it belongs: it must not be changed. */
  value?(): unknown;
  /** The same of a body of many lines, in batches of what its lines say. */
  values?(): AsyncIterable<readonly unknown[]>;
  discard(): void;
}

export interface UpgradedConnection {
  readonly status: 101;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: ByteStream;
}

/** A connection in both directions; every `node:stream` Duplex is one. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(error?: Error): unknown;
}

/**
 * No response was had: the connection failed, before or in the middle of the exchange.
 * `sent` says whether the server may have acted on the request: only when it is false is a write safe to repeat.
 */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly sent: boolean;

  constructor(message: string, options: { sent: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.sent = options.sent;
  }
}

/** The transport was disposed: there is no point in trying again. */
export class TransportClosedError extends Error {
  override readonly name = 'TransportClosedError';

  constructor() {
    super('The transport was closed');
  }
}
