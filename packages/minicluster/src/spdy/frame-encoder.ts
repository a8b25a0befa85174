import {
  controlTypes,
  type Frame,
  finFlag,
  maxPayload,
  type Setting,
  type SpdyHeaders,
} from './frame.ts';
import { HeaderCompressor } from './header-compression.ts';

/** Turns the frames of one side of a connection into bytes. Frames must be sent in the order in which they were encoded. */
export class FrameEncoder {
  readonly #headers = new HeaderCompressor();

  encode(frame: Frame): Buffer {
    switch (frame.type) {
      case 'data':
        return dataFrame(frame.streamId, frame.bytes, frame.fin);
      case 'syn-stream':
        // No stream it belongs to, the highest priority, no credential.
        return control('syn-stream', flagsOf(frame), [
          words(frame.streamId, 0),
          Buffer.alloc(2),
          this.#pack(frame.headers),
        ]);
      case 'syn-reply':
      case 'headers':
        return control(frame.type, flagsOf(frame), [
          words(frame.streamId),
          this.#pack(frame.headers),
        ]);
      case 'rst-stream':
        return control('rst-stream', 0, [words(frame.streamId, frame.status)]);
      case 'settings':
        return control('settings', 0, [words(frame.settings.length), ...frame.settings.map(entry)]);
      case 'ping':
        return control('ping', 0, [words(frame.id)]);
      case 'goaway':
        return control('goaway', 0, [words(frame.lastStreamId, frame.status)]);
      case 'window-update':
        return control('window-update', 0, [words(frame.streamId, frame.delta)]);
    }
  }

  #pack(headers: SpdyHeaders): Buffer {
    const fields = [...headers].flatMap(([name, value]) => [prefixed(name), prefixed(value)]);
    return this.#headers.compress(Buffer.concat([words(headers.size), ...fields]));
  }
}

function dataFrame(streamId: number, bytes: Uint8Array, fin: boolean): Buffer {
  const flags = fin ? finFlag : 0;
  return Buffer.concat([words(streamId, flagsAndLength(flags, bytes.length)), bytes]);
}

function control(
  type: keyof typeof controlTypes,
  flags: number,
  parts: readonly Uint8Array[],
): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.of(0x80, 0x03, 0, controlTypes[type]);
  return Buffer.concat([head, words(flagsAndLength(flags, length)), ...parts]);
}

function flagsAndLength(flags: number, length: number): number {
  if (length <= maxPayload) return flags * 0x100_0000 + length;
  throw new RangeError(`Cannot send ${length} bytes in one SPDY frame: the most is ${maxPayload}`);
}

function flagsOf({ fin }: { readonly fin: boolean }): number {
  return fin ? finFlag : 0;
}

function words(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, i) => {
    bytes.writeUInt32BE(number, i * 4);
  });
  return bytes;
}

function entry({ id, flags, value }: Setting): Buffer {
  return words(flags * 0x100_0000 + id, value);
}

function prefixed(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([words(bytes.length), bytes]);
}
