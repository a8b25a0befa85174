import { expect, test } from 'vitest';
import { FrameDecoder } from './frame-decoder.ts';
import { FrameEncoder } from './frame-encoder.ts';

/** Written by github.com/moby/spdystream 0.5.1, the library of Kubernetes. */
const foreign = [
  '800300010000003e0000000100000000000078f9e3c6a7c202253a703a2b294a4dcc851625aca9a0808614cb45',
  'e01c60616061c0c0c0c0590489c64c50f2663400000000ffff8003000100000017000000030000000000000211',
  '189a41e55022000000ffff800300020000000e000000016260606000000000ffff000000030100000568656c6c',
  '6f8003000600000004000000018003000300000008000000030000000580030007000000080000000000000000',
].join('');

test('FrameDecoder reads what another implementation wrote', () => {
  const frames = [...new FrameDecoder().push(Buffer.from(foreign, 'hex'))];
  const port = [
    ['streamtype', 'error'],
    ['port', '8080'],
    ['requestid', '0'],
  ] as const;
  expect(frames).toEqual([
    { type: 'syn-stream', streamId: 1, headers: new Map(port), fin: false },
    { type: 'syn-stream', streamId: 3, headers: new Map([['streamtype', 'data']]), fin: false },
    { type: 'syn-reply', streamId: 1, headers: new Map(), fin: false },
    { type: 'data', streamId: 3, bytes: Buffer.from('hello'), fin: true },
    { type: 'ping', id: 1 },
    { type: 'rst-stream', streamId: 3, status: 5 },
    { type: 'goaway', lastStreamId: 0, status: 0 },
  ]);
});

test('FrameEncoder refuses more than fits into one frame', () => {
  const bytes = new Uint8Array(0x100_0000);
  const frame = { type: 'data', streamId: 1, bytes, fin: false } as const;
  expect(() => new FrameEncoder().encode(frame)).toThrow('Cannot send 16777216 bytes');
});

test.each([
  ['another version', '80020006000000040000 0001'],
  ['a control frame too large to be meant', '8003000100f00000'],
  ['headers that are not compressed', '80030002000000080000000100000000'],
  ['headers of another dictionary', '800300020000000a0000000178f900000000'],
  ['half a frame', '800300060000000200 01'],
])('FrameDecoder refuses %s', (_, hex) => {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  expect(() => [...new FrameDecoder().push(bytes)]).toThrow('Cannot read SPDY: ');
});
