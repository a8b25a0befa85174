import {
  type ApiCall,
  cutAfterLines,
  delayed,
  errorEvent,
  type Fault,
  type FaultPlan,
  failAfterEffect,
  isList,
  isWatch,
  isWrite,
  lostAnswer,
  lostRequest,
  refusal,
  seededPlan,
} from '@liqo/testkit/faults';

/** Something that is wrong between all processes and all clusters, from the first call of a story to the last. */
export interface Disturbance {
  /** After "when". */
  readonly name: string;
  /** For one cluster. */
  readonly plan: () => FaultPlan;
}

/** What makes views stale, loses what was seen, and lies about what was written. */
export const disturbances: readonly Disturbance[] = [
  { name: 'every event is late', plan: onWatches(() => ({ eventsTakeMs: 700 })) },
  {
    name: 'every cache is one version behind',
    plan: onWatches(() => ({ eventsLagMs: 5_000 })),
  },
  {
    name: 'every watch ends after each event',
    plan: onWatches(() => cutAfterLines(1, 'end')),
  },
  {
    name: 'every watch loses an event, and a list comes after it',
    plan: onWatches(() => errorEvent(410, 'Expired')),
  },
  {
    name: 'the server has forgotten every version at first',
    // The lists of one reconcile could fail in turns for ever: that ends after a while.
    plan: () =>
      firstOf(
        3,
        (call) => (isList(call) || isWatch(call)) && call.attempt <= mostForgotten,
        () => refusal(410),
      ),
  },
  {
    name: 'somebody else is faster at first',
    plan: () => everyOther(isChange, () => refusal(409)),
  },
  {
    name: 'the server is busy at first',
    plan: () =>
      everyOther(
        () => true,
        () => refusal(429, '2'),
      ),
  },
  {
    name: 'every write takes effect and fails at first',
    plan: () => everyOther(isWrite, () => failAfterEffect(500)),
  },
  {
    name: 'the connection breaks after every write at first',
    plan: () => everyOther(isWrite, () => lostAnswer('reset')),
  },
  {
    name: 'the connection breaks before every call at first',
    plan: () =>
      everyOther(
        () => true,
        () => lostRequest('reset'),
      ),
  },
  {
    name: 'every write arrives twice',
    plan: () => (call) => (isWrite(call) ? { twice: 'first answer' } : undefined),
  },
  { name: 'everything takes a while', plan: () => () => delayed(300) },
  { name: 'everything at once', plan: () => seededPlan({ seed: 1, rate: 0.2, faults: anything }) },
];

const mostForgotten = 20;

const anything: readonly (() => Fault)[] = [
  () => ({ eventsTakeMs: 2_000 }),
  () => ({ eventsLagMs: 5_000 }),
  () => cutAfterLines(1, 'end'),
  () => refusal(429, '1'),
  () => refusal(500),
  () => failAfterEffect(500),
  () => lostAnswer('reset'),
  () => lostRequest('reset'),
  () => delayed(800),
];

function onWatches(fault: () => Fault): () => FaultPlan {
  return () => (call) => (isWatch(call) ? fault() : undefined);
}

/** The first time somebody asks for something, the third time, and so on. */
function everyOther(matches: (call: ApiCall) => boolean, fault: () => Fault): FaultPlan {
  return firstOf(2, matches, fault);
}

/** The first of so many attempts at the same thing, again and again. */
function firstOf(many: number, matches: (call: ApiCall) => boolean, fault: () => Fault): FaultPlan {
  return (call) => (matches(call) && call.attempt % many === 1 ? fault() : undefined);
}

/** What can be a conflict; a creation cannot. */
function isChange({ verb }: ApiCall): boolean {
  return ['update', 'patch', 'delete'].includes(verb);
}
