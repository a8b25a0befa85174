import { deepEqual } from '@liqo/kube';
import type { Event as CoreEvent } from 'kubernetes-types/core/v1.d.ts';
import { type FieldProblem, invalid, invalidFor, required } from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { dnsSubdomainFaults, qualifiedNameFaults } from '../validation/names.ts';

const mismatch = 'does not match event.namespace';

/** What holds for events of both APIs; they have different names for who reports. */
export function validateEvent(event: CoreEvent, reporterField: string): FieldProblem[] {
  const namespace = event.metadata?.namespace ?? '';
  return [
    ...(event.eventTime ? validateNew(event, reporterField) : validateOld(event)),
    ...invalidFor('namespace', namespace, dnsSubdomainFaults(namespace)),
  ];
}

function validateOld({ metadata, involvedObject }: CoreEvent): FieldProblem[] {
  const own = metadata?.namespace ?? '';
  const about = involvedObject?.namespace ?? '';
  const isFine = about === '' ? own === '' || own === 'default' : about === own;
  return isFine ? [] : [invalid('involvedObject.namespace', about, mismatch)];
}

const limits = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

/** Events that know when they happened know more, too. */
function validateNew(event: CoreEvent, reporterField: string): FieldProblem[] {
  const about = event.involvedObject?.namespace ?? '';
  const own = event.metadata?.namespace ?? '';
  const isFine = about !== '' || own === 'default' || own === 'kube-system';
  const reporter = event.reportingComponent ?? '';
  return [
    ...(isFine ? [] : [invalid('involvedObject.namespace', about, mismatch)]),
    ...(reporter ? [] : [required(reporterField)]),
    ...invalidFor(reporterField, reporter, qualifiedNameFaults(reporter)),
    ...validateText('reportingInstance', event.reportingInstance),
    ...validateText('action', event.action),
    ...validateText('reason', event.reason),
    ...((event.message ?? '').length > limits.message ? [tooMany('message')] : []),
  ];
}

function validateText(field: keyof typeof limits, text: string | undefined): FieldProblem[] {
  if (!text) return [required(field)];
  return text.length > limits[field] ? [tooMany(field)] : [];
}

function tooMany(field: keyof typeof limits): FieldProblem {
  return invalid(field, '', `can have at most ${limits[field]} characters`);
}

/** The newer API takes no events of the old kind. */
export function validateStrictly(event: CoreEvent): FieldProblem[] {
  const { type, firstTimestamp, lastTimestamp, count, source } = event;
  const isKnown = type === 'Normal' || type === 'Warning';
  const hasSource = Boolean(source?.component || source?.host);
  const unwanted = { firstTimestamp, lastTimestamp, count, source: hasSource };
  return [
    ...validateEvent(event, 'reportingController'),
    ...validateSeries(event),
    ...(event.eventTime ? [] : [required('eventTime')]),
    ...(isKnown ? [] : [invalid('type', '', `has invalid value: ${type ?? ''}`)]),
    ...Object.entries(unwanted)
      .filter(([, value]) => Boolean(value))
      .map(([field]) => invalid(field, '', 'needs to be unset')),
  ];
}

function validateSeries({ series }: CoreEvent): FieldProblem[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ];
}

const fixed = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  // Looked at twice by the server.
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingInstance',
] as const;

export function validateStrictUpdate(next: CoreEvent, previous: CoreEvent): FieldProblem[] {
  const isSameSeries = deepEqual(next.series, previous.series);
  return [
    ...(isSameSeries ? [] : validateSeries(next)),
    ...fixed.flatMap((field) => unchanged(field, next[field], previous[field])),
  ];
}
