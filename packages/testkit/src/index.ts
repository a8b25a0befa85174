export { type EventuallyOptions, eventually } from './eventually.ts';
export { ProcessClock } from './process-clock.ts';
export { rejection } from './rejection.ts';
export { seededRandom } from './seeded-random.ts';
export { timePassesUntil } from './time-passes-until.ts';
export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
export { clientMessage, serverMessages, webSocketHeaders } from './web-socket-frames.ts';
