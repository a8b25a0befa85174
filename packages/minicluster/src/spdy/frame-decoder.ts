import {
  controlTypes,
  type Frame,
  finFlag,
  idMask,
  type Setting,
  type SpdyHeaders,
} from './frame.ts';
import { HeaderDecompressor } from './header-compression.ts';
import { SpdyError } from './spdy-error.ts';

const headLength = 8;
/** Far more than the headers of any stream of Kubernetes. */
const maxControlPayload = 1024 * 1024;

/** The part of a data frame that has not arrived. */
interface OpenData {
  readonly streamId: number;
  readonly fin: boolean;
  readonly missing: number;
}

/**
 * Turns bytes into frames, however they are cut. The bytes of a data frame are handed on as they arrive, in several frames
 * of which only the last is final, so that no more than a control frame is ever kept.
 */
export class FrameDecoder {
  readonly #headers = new HeaderDecompressor();
  #rest: Buffer = Buffer.alloc(0);
  #data: OpenData | undefined;

  /** The frames that are complete with these bytes. Throws a `SpdyError`; then the connection is of no more use. */
  *push(bytes: Uint8Array): Generator<Frame, void, undefined> {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : Buffer.from(bytes);
    for (;;) {
      const frame = this.#data ? this.#continueData(this.#data) : this.#next();
      if (frame === 'incomplete') return;
      if (frame) yield frame;
    }
  }

  /** Undefined for a frame that means nothing to anybody. */
  #next(): Frame | 'incomplete' | undefined {
    if (this.#rest.length < headLength) return 'incomplete';
    const isControl = this.#rest.readUInt8(0) >= 0x80;
    return isControl ? this.#control() : this.#beginData();
  }

  #beginData(): undefined {
    const head = this.#take(headLength);
    const streamId = head.readUInt32BE(0) & idMask;
    this.#data = { streamId, fin: isFinal(head), missing: head.readUIntBE(5, 3) };
  }

  #continueData({ streamId, fin, missing }: OpenData): Frame | 'incomplete' {
    if (missing > 0 && this.#rest.length === 0) return 'incomplete';
    const bytes = this.#take(Math.min(missing, this.#rest.length));
    const left = missing - bytes.length;
    this.#data = left > 0 ? { streamId, fin, missing: left } : undefined;
    return { type: 'data', streamId, bytes, fin: fin && left === 0 };
  }

  #control(): Frame | 'incomplete' | undefined {
    const length = this.#rest.readUIntBE(5, 3);
    if (length > maxControlPayload) throw new SpdyError(`control frame of ${length} bytes`);
    if (this.#rest.length < headLength + length) return 'incomplete';
    const head = this.#take(headLength);
    const version = head.readUInt16BE(0) & 0x7fff;
    if (version !== 3) throw new SpdyError(`version ${version} is not spoken here`);
    try {
      return this.#parse(head.readUInt16BE(2), isFinal(head), this.#take(length));
    } catch (error) {
      if (error instanceof SpdyError) throw error;
      throw new SpdyError('control frame ends too early', { cause: error });
    }
  }

  #parse(type: number, fin: boolean, payload: Buffer): Frame | undefined {
    const word = (i: number) => payload.readUInt32BE(i * 4);
    const streamId = () => word(0) & idMask;
    switch (type) {
      case controlTypes['syn-stream']:
        return {
          type: 'syn-stream',
          streamId: streamId(),
          headers: this.#unpack(payload.subarray(10)),
          fin,
        };
      case controlTypes['syn-reply']:
      case controlTypes.headers:
        return {
          type: type === controlTypes.headers ? 'headers' : 'syn-reply',
          streamId: streamId(),
          headers: this.#unpack(payload.subarray(4)),
          fin,
        };
      case controlTypes['rst-stream']:
        return { type: 'rst-stream', streamId: streamId(), status: word(1) };
      case controlTypes.settings:
        return { type: 'settings', settings: readSettings(payload) };
      case controlTypes.ping:
        return { type: 'ping', id: word(0) };
      case controlTypes.goaway:
        return { type: 'goaway', lastStreamId: streamId(), status: word(1) };
      case controlTypes['window-update']:
        return { type: 'window-update', streamId: streamId(), delta: word(1) & idMask };
      default:
        return undefined;
    }
  }

  #unpack(packed: Buffer): SpdyHeaders {
    return readHeaders(this.#headers.decompress(packed));
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return taken;
  }
}

function isFinal(head: Buffer): boolean {
  return (head.readUInt8(4) & finFlag) !== 0;
}

function readSettings(payload: Buffer): Setting[] {
  return Array.from({ length: Math.floor((payload.length - 4) / 8) }, (_, i) => ({
    flags: payload.readUInt8(4 + i * 8),
    id: payload.readUIntBE(5 + i * 8, 3),
    value: payload.readUInt32BE(8 + i * 8),
  }));
}

function readHeaders(block: Buffer): SpdyHeaders {
  const headers = new Map<string, string>();
  let offset = 4;
  const text = () => {
    const start = offset + 4;
    offset = start + block.readUInt32BE(offset);
    if (offset > block.length) throw new SpdyError('header block ends too early');
    return block.toString('utf8', start, offset);
  };
  for (let left = block.readUInt32BE(0); left > 0; left--)
    headers.set(text().toLowerCase(), text());
  return headers;
}
