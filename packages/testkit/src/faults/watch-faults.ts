import { constants } from 'node:http2';
import { cutAfter, errorEvent, type Fault, lostRequest, refusal, rewriteLine } from './fault.ts';

/** Something that can happen to a watch, and what a client has to make of it. */
export interface WatchFault {
  /** Goes on the sentence "when the server …". */
  readonly name: string;
  /** Faults count lines: each watch needs its own. */
  readonly make: () => Fault;
  readonly needsHttp2?: boolean;
  /** Events may be lost: only a new list can tell. Otherwise a list would be a waste. */
  readonly relists?: boolean;
}

const within = 450;
const unknownType = JSON.stringify({ type: 'X', object: { metadata: { resourceVersion: '9' } } });

/** Cuts are placed so that one or two whole events come before them, given events of 200 to 440 bytes. */
export const watchFaults: readonly WatchFault[] = [
  { name: 'resets the connection within a line', make: () => cutAfter(within, 'reset') },
  { name: 'closes the connection within a line', make: () => cutAfter(within, 'close') },
  { name: 'ends within a line', make: () => cutAfter(within, 'end') },
  { name: 'ends before the first byte', make: () => cutAfter(0, 'end') },
  { name: 'gives no answer but a reset', make: () => lostRequest('reset') },
  { name: 'says 401 once', make: () => refusal(401) },
  { name: 'says 429 with a Retry-After in seconds', make: () => refusal(429, '0') },
  {
    name: 'says 503 with a Retry-After as a date',
    make: () => refusal(503, 'Tue, 01 Jan 2019 00:00:00 GMT'),
  },
  { name: 'says 500', make: () => refusal(500) },
  { name: 'sends three bytes at a time', make: () => ({ chunkBytes: 3 }) },
  { name: 'sends byte by byte', make: () => ({ chunkBytes: 1 }), needsHttp2: true },
  {
    name: 'resets the stream',
    make: () => cutAfter(within, { stream: constants.NGHTTP2_CANCEL }),
    needsHttp2: true,
  },
  {
    name: 'resets the stream as if it were over',
    make: () => cutAfter(within, { stream: constants.NGHTTP2_NO_ERROR }),
    needsHttp2: true,
  },
  {
    name: 'refuses the stream',
    make: () => lostRequest('refuse'),
    needsHttp2: true,
  },
  {
    name: 'tells the client to go away',
    make: () => cutAfter(within, 'goAway'),
    needsHttp2: true,
  },
  { name: 'says 410', make: () => refusal(410), relists: true },
  { name: 'sends a 410 as an event', make: () => errorEvent(410, 'Expired'), relists: true },
  { name: 'sends a 500 as an event', make: () => errorEvent(500, 'Internal'), relists: true },
  {
    name: 'sends a line that is no JSON',
    make: () => rewriteLine(3, (line) => line.slice(0, -9)),
    relists: true,
  },
  {
    name: 'sends a line of another protocol',
    make: () => rewriteLine(2, () => '<html>log in</html>'),
    relists: true,
  },
  {
    name: 'sends an event of a type nobody knows',
    make: () => rewriteLine(3, () => unknownType),
    relists: true,
  },
  {
    name: 'sends an event without a version',
    make: () => rewriteLine(2, (line) => line.replaceAll('resourceVersion', 'elsewhere')),
    relists: true,
  },
];
