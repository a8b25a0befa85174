import type { KubeObject } from '@liqo/kube';
import type { ApiRequest } from './api-request.ts';
import { badRequest, type FieldProblem, invalid } from './refusal.ts';
import { isTrue } from './request-info.ts';

export interface WriteSettings {
  readonly dryRun: boolean;
  /** Who writes, in managedFields. */
  readonly manager: string;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  readonly force: boolean;
}

/** The options of a create, update or patch, from its query. */
export function readWriteSettings(request: ApiRequest): WriteSettings {
  const { query } = request;
  const fieldValidation = query.get('fieldValidation') || 'Warn';
  if (fieldValidation !== 'Ignore' && fieldValidation !== 'Warn' && fieldValidation !== 'Strict') {
    throw badRequest(`fieldValidation: Unsupported value: "${fieldValidation}"`);
  }
  return {
    dryRun: readDryRun(query.getAll('dryRun')),
    manager: query.get('fieldManager') || managerFromUserAgent(request.headers['user-agent'] ?? ''),
    fieldValidation,
    force: isTrue(query.get('force')),
  };
}

export interface DeleteSettings {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

interface WireDeleteOptions extends KubeObject {
  readonly dryRun?: string[];
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** The options of a deletion, from its body, or from its query when there is none. */
export function readDeleteSettings(request: ApiRequest): DeleteSettings {
  const { query } = request;
  const asked: WireDeleteOptions = request.body ? parseOptions(request.body) : fromQuery(query);
  const policy = asked.propagationPolicy;
  const problems: FieldProblem[] = [];
  if (policy !== undefined && !isPolicy(policy)) {
    problems.push({
      field: 'propagationPolicy',
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: "${policy}": supported values: "Foreground", "Background", "Orphan", "nil"`,
    });
  }
  if (problems.length > 0)
    throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', problems);
  return {
    dryRun: readDryRun(asked.dryRun ?? []),
    gracePeriodSeconds: asked.gracePeriodSeconds,
    propagationPolicy: policy as DeleteSettings['propagationPolicy'],
    orphanDependents: asked.orphanDependents,
    uid: asked.preconditions?.uid,
    resourceVersion: asked.preconditions?.resourceVersion,
  };
}

function fromQuery(query: URLSearchParams): WireDeleteOptions {
  const grace = query.get('gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  return {
    dryRun: query.getAll('dryRun'),
    ...(grace !== null && { gracePeriodSeconds: Number(grace) }),
    ...(policy !== null && { propagationPolicy: policy }),
  };
}

function parseOptions(body: string): WireDeleteOptions {
  try {
    return JSON.parse(body);
  } catch {
    throw badRequest('the object provided is unrecognized (must be of type DeleteOptions)');
  }
}

function isPolicy(policy: string): boolean {
  return policy === 'Background' || policy === 'Foreground' || policy === 'Orphan';
}

function readDryRun(values: readonly string[]): boolean {
  if (values.every((value) => value === 'All')) return values.length > 0;
  throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(values)}: supported values: "All"`);
}

/** What comes before the first slash: `kubectl/v1.35` writes as `kubectl`. */
function managerFromUserAgent(userAgent: string): string {
  return userAgent.split('/', 1)[0]?.slice(0, 128) || 'unknown';
}
