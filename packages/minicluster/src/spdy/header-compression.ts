import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { headerDictionary } from './header-dictionary.ts';
import { SpdyError } from './spdy-error.ts';

/** What deflate can refer back to. */
const windowSize = 32 * 1024;
/** No header block is larger, however small it arrives. */
const maxBlockBytes = 256 * 1024;
/** Deflate with the largest window and a preset dictionary, and the checksum by which the dictionary is known. */
const streamHead = Buffer.of(0x78, 0x20, 0xe3, 0xc6, 0xa7, 0xc2);
const presetDictionary = 0x20;

/**
 * All header blocks that one side sends are one zlib stream, flushed to whole bytes after each. What is between two flushes
 * depends on nothing but the last 32 KiB of text, so each block is packed by itself with that text as its dictionary.
 */
export class HeaderCompressor {
  #window = headerDictionary();
  #hasBegun = false;

  compress(block: Uint8Array): Buffer {
    const packed = deflateRawSync(block, {
      dictionary: this.#window,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    this.#window = slide(this.#window, block);
    if (this.#hasBegun) return packed;
    this.#hasBegun = true;
    return Buffer.concat([streamHead, packed]);
  }
}

/** The other end of a `HeaderCompressor`, or of any zlib stream that is flushed after every block. */
export class HeaderDecompressor {
  #window: Buffer = Buffer.alloc(0);
  #hasBegun = false;

  /** Throws a `SpdyError` when the bytes are nothing that was compressed, or too much. */
  decompress(packed: Uint8Array): Buffer {
    const body = this.#hasBegun ? packed : this.#begin(packed);
    const block = inflate(body, this.#window);
    this.#window = slide(this.#window, block);
    return block;
  }

  #begin(packed: Uint8Array): Uint8Array {
    const [method = 0, flags = 0] = packed;
    if ((method & 0x0f) !== 8 || (method * 256 + flags) % 31 !== 0) {
      throw new SpdyError('header block is not compressed with zlib');
    }
    this.#hasBegun = true;
    if ((flags & presetDictionary) === 0) return packed.subarray(2);
    if (!streamHead.subarray(2).equals(packed.subarray(2, 6))) {
      throw new SpdyError('header block is compressed with another dictionary');
    }
    this.#window = headerDictionary();
    return packed.subarray(6);
  }
}

function inflate(body: Uint8Array, window: Buffer): Buffer {
  const finishFlush = constants.Z_SYNC_FLUSH;
  const dictionary = window.length > 0 && { dictionary: window };
  try {
    return inflateRawSync(body, { ...dictionary, finishFlush, maxOutputLength: maxBlockBytes });
  } catch (error) {
    throw new SpdyError('header block cannot be decompressed', { cause: error });
  }
}

function slide(window: Buffer, block: Uint8Array): Buffer {
  return Buffer.from(Buffer.concat([window, block]).subarray(-windowSize));
}
