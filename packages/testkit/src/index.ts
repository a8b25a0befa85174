export { type EventuallyOptions, eventually } from './eventually.ts';
export { ProcessClock } from './process-clock.ts';
export { Choice } from './random-programs/choice.ts';
export { shrinkList } from './random-programs/shrink.ts';
export { rejection } from './rejection.ts';
export { seededRandom } from './seeded-random.ts';
export { timePassesUntil } from './time-passes-until.ts';
export { VirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
export { clientMessage, serverMessages, webSocketHeaders } from './web-socket-frames.ts';
