import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Frame } from './frame.ts';
import { FrameDecoder } from './frame-decoder.ts';
import { FrameEncoder } from './frame-encoder.ts';

const id = fc.integer({ min: 1, max: 0x7fff_ffff });
const word = fc.integer({ min: 0, max: 0xffff_ffff });
const name = fc.string().map((text) => text.toLowerCase());
const headers = fc
  .array(fc.tuple(name, fc.string({ unit: 'grapheme' })))
  .map((all) => new Map(all));
const setting = fc.record({
  id: fc.integer({ min: 0, max: 0xff_ffff }),
  flags: fc.integer({ min: 0, max: 255 }),
  value: word,
});

const frames: fc.Arbitrary<Frame[]> = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constantFrom('syn-stream' as const, 'syn-reply' as const, 'headers' as const),
      streamId: id,
      headers,
      fin: fc.boolean(),
    }),
    fc.record({ type: fc.constant('rst-stream' as const), streamId: id, status: word }),
    fc.record({ type: fc.constant('settings' as const), settings: fc.array(setting) }),
    fc.record({ type: fc.constant('ping' as const), id: word }),
    fc.record({ type: fc.constant('goaway' as const), lastStreamId: id, status: word }),
    fc.record({ type: fc.constant('window-update' as const), streamId: id, delta: id }),
    fc.record({
      type: fc.constant('data' as const),
      streamId: id,
      bytes: fc.uint8Array({ maxLength: 200 }),
      fin: fc.boolean(),
    }),
  ),
);

/** The bytes, cut anywhere. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let rest = bytes;
  for (const size of sizes) {
    pieces.push(rest.subarray(0, size));
    rest = rest.subarray(size);
  }
  return [...pieces, rest];
}

/** A data frame may be handed on in pieces, of which no more than the last is final. */
function joinData(decoded: readonly Frame[]): Frame[] {
  const joined: Frame[] = [];
  for (const frame of decoded) {
    const last = joined.at(-1);
    const continues = frame.type === 'data' && last?.type === 'data' && !last.fin;
    if (continues && last.streamId === frame.streamId) {
      const bytes = Buffer.concat([last.bytes, frame.bytes]);
      joined[joined.length - 1] = { ...frame, bytes };
    } else {
      joined.push(frame.type === 'data' ? { ...frame, bytes: Buffer.from(frame.bytes) } : frame);
    }
  }
  return joined;
}

test('FrameDecoder reads what FrameEncoder wrote, however the bytes are cut', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.nat({ max: 40 })), (sent, sizes) => {
      const encoder = new FrameEncoder();
      const decoder = new FrameDecoder();
      const bytes = Buffer.concat(sent.map((frame) => encoder.encode(frame)));
      const decoded = cut(bytes, sizes).flatMap((piece) => [...decoder.push(piece)]);
      expect(joinData(decoded)).toEqual(joinData(sent));
    }),
  );
});

test('FrameDecoder refuses rubbish with a SpdyError, and nothing else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 400 }), (rubbish) => {
      const decoder = new FrameDecoder();
      const control = Buffer.concat([
        Buffer.of(0x80, 0x03, 0x00, rubbish[0] ?? 0, 0, 0, 0),
        rubbish,
      ]);
      try {
        for (const frame of decoder.push(control)) expect(frame.type).toBeTypeOf('string');
      } catch (error) {
        expect(error).toMatchObject({ name: 'SpdyError' });
      }
    }),
  );
});
