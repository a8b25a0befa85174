import { apiVersionOf, type JsonObject } from '@liqo/kube';
import { seededRandom } from '../seeded-random.ts';
import { Choice } from './choice.ts';
import { chooseMetadata, chooseMetadataChange } from './choose-metadata.ts';
import { type Program, remembered, type Step } from './program.ts';
import { type KindName, kindNames, type SampleKind, sampleKinds } from './sample-kinds.ts';

/** The program of a seed: always the same one. */
export function generateProgram(seed: number): Program {
  const choice = new Choice(seededRandom(seed));
  const namespaces = [`p${seed}-a`, `p${seed}-b`, `p${seed}-c`] as const;
  const kinds = [choice.pick(kindNames), choice.pick(kindNames), choice.pick(kindNames)];
  const length = choice.between(5, 40);
  const steps: Step[] = [];
  while (steps.length < length) {
    steps.push(chooseStep({ choice, seed, namespaces, steps }, choice.pick(kinds)));
  }
  return { seed, namespaces, kinds: [...new Set(kinds)], steps };
}

interface Draft {
  readonly choice: Choice;
  readonly seed: number;
  readonly namespaces: Program['namespaces'];
  readonly steps: readonly Step[];
}

/** A call about one object or collection, before it is known what it does. */
interface Scene extends Draft {
  readonly sample: SampleKind;
  readonly target: Pick<Step, 'caller' | 'kind' | 'namespace' | 'name'>;
}

type Verb = (scene: Scene) => Step;

const verbs: readonly (readonly [number, Verb])[] = [
  [24, create],
  [6, get],
  [8, list],
  [14, update],
  [14, patch],
  [14, apply],
  [9, remove],
  [2, removeCollection],
  [7, writeStatus],
  [4, scale],
];

function chooseStep(draft: Draft, kind: KindName): Step {
  const { choice, namespaces } = draft;
  const sample: SampleKind = sampleKinds[kind];
  const namespace = choice.chance(0.8) ? namespaces[0] : namespaces[1];
  const target = sample.kind.namespaced
    ? { namespace, name: choice.pick(['x', 'y', 'z']) }
    : { name: choice.chance(0.1) ? namespaces[1] : namespaces[2] };
  const caller = choice.chance(0.5) ? 'ada' : 'bob';
  return choice.weighted(verbs)({ ...draft, sample, target: { ...target, caller, kind } });
}

function create(scene: Scene): Step {
  const { choice, target, steps } = scene;
  const generated = target.namespace !== undefined && choice.chance(0.15);
  const invalid = choice.chance(0.04);
  const naming = generated
    ? { generateName: `g${steps.length}-` }
    : { name: invalid ? choice.pick(['Not_Valid', '-x', 'a..b']) : target.name };
  return {
    ...target,
    name: undefined,
    method: 'POST',
    query: writeOptions(scene),
    body: withMetadata(scene, naming, choice.pick(scene.sample.contents)),
  };
}

function get({ target, choice }: Scene): Step {
  const query: Step['query'] = choice.chance(0.1) ? { resourceVersion: '0' } : {};
  return { ...target, method: 'GET', query };
}

function list({ target, choice, seed, steps, sample }: Scene): Step {
  const base = { ...target, name: undefined, method: 'GET' } as const;
  const own = sample.kind.namespaced ? [] : [`program=p${seed}`];
  const labels = [...own, ...choice.some(['app=web', 'app!=db', 'tier in (a,b)', '!tier'], 0.25)];
  const fields = choice.some([`metadata.name=${target.name}`, 'metadata.name!=y'], 0.15);
  const earlier = pagedList(steps, target);
  const query: Record<string, string> = {};
  if (labels.length > 0) query.labelSelector = labels.join(',');
  if (fields.length > 0) query.fieldSelector = fields.join(',');
  if (choice.chance(0.4)) query.limit = String(choice.between(1, 3));
  if (earlier !== undefined && choice.chance(0.7)) {
    return {
      ...base,
      query: { ...steps[earlier]?.query, continue: remembered(earlier, 'continue') },
    };
  }
  return { ...base, query };
}

/** The last list with a limit of the same collection. */
function pagedList(steps: readonly Step[], target: Scene['target']): number | undefined {
  const found = steps.findLastIndex(
    ({ kind, namespace, query }) =>
      kind === target.kind && namespace === target.namespace && query.limit !== undefined,
  );
  return found < 0 ? undefined : found;
}

function update(scene: Scene): Step {
  const { choice, target, sample } = scene;
  const base = { ...target, method: 'PUT', query: writeOptions(scene) } as const;
  const body = withMetadata(scene, { name: target.name }, choice.pick(sample.contents));
  const earlier = writesOf(scene);
  if (earlier.length === 0 || choice.chance(0.15)) return { ...base, body };
  const of = choice.chance(0.7) ? earlier[earlier.length - 1] : choice.pick(earlier);
  const unversioned = choice.chance(0.3) ? { metadata: { resourceVersion: null } } : {};
  const change = chooseChange(scene);
  const metadata = { ...asObject(change.metadata), ...unversioned.metadata };
  return { ...base, body, edit: { of: of ?? 0, change: { ...change, metadata } } };
}

/** The steps that addressed, and may have got, the same object. */
function writesOf({ steps, target }: Scene): readonly number[] {
  return steps.flatMap((step, index) => {
    const sameKind = step.kind === target.kind && step.namespace === target.namespace;
    const named = step.name ?? bodyName(step);
    const whole = step.subresource !== 'scale' && step.method !== 'DELETE';
    return sameKind && named === target.name && whole ? [index] : [];
  });
}

function bodyName({ body }: Step): unknown {
  return asObject(asObject(body).metadata).name;
}

function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

function chooseChange(scene: Scene): JsonObject {
  const { choice, sample, steps } = scene;
  if (choice.chance(0.1)) return {};
  return choice.chance(0.45)
    ? { metadata: chooseMetadataChange(choice, steps.length) }
    : choice.pick(sample.changes);
}

function patch(scene: Scene): Step {
  const { choice, sample, target } = scene;
  const base = { ...target, method: 'PATCH', query: writeOptions(scene) } as const;
  return choice.weighted<() => Step>([
    [4, () => ({ ...base, contentType: merge, body: chooseChange(scene) })],
    [3, () => ({ ...base, contentType: jsonPatch, body: chooseOperations(scene) })],
    [3, () => ({ ...base, contentType: strategicMerge, body: choice.pick(sample.strategic) })],
  ])();
}

const merge = 'application/merge-patch+json';
const strategicMerge = 'application/strategic-merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const applyPatch = 'application/apply-patch+yaml';

function chooseOperations({ choice, sample }: Scene): readonly JsonObject[] {
  const labelled = [{ op: 'add', path: '/metadata/labels/app', value: 'patched' }];
  const operations = choice.chance(0.2) ? labelled : choice.pick(sample.operations);
  return operations.map((operation) => ({ ...operation }) as JsonObject);
}

function apply(scene: Scene): Step {
  const { choice, target, sample } = scene;
  const fieldManager = choice.pick(['ada', 'bob']);
  const force: Step['query'] = choice.chance(0.35) ? { force: 'true' } : {};
  const dryRun: Step['query'] = choice.chance(0.08) ? { dryRun: 'All' } : {};
  return {
    ...target,
    method: 'PATCH',
    contentType: applyPatch,
    query: { fieldManager, ...force, ...dryRun },
    body: withMetadata(scene, { name: target.name }, choice.pick(sample.contents)),
  };
}

function remove(scene: Scene): Step {
  const { choice, target, steps } = scene;
  const earlier = writesOf(scene);
  const known = earlier.length > 0 ? choice.pick(earlier) : steps.length;
  const options = choice.weighted<JsonObject>([
    [5, {}],
    [1, { propagationPolicy: choice.pick(['Foreground', 'Background', 'Orphan', 'Whatever']) }],
    [1, { gracePeriodSeconds: choice.pick([0, 1, 30, -5]) }],
    [1, { preconditions: { uid: remembered(known, 'uid') } }],
    [1, { preconditions: { resourceVersion: remembered(known, 'version') } }],
    [1, { preconditions: { uid: 'ffffffff-ffff-4fff-8fff-ffffffffffff' } }],
    [1, { dryRun: ['All'] }],
  ]);
  return { ...target, method: 'DELETE', query: {}, body: deleteOptions(options) };
}

function deleteOptions(options: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
}

function removeCollection(scene: Scene): Step {
  const { choice, target, sample } = scene;
  // Namespaces are deleted one by one: those of other programs are in the same collection.
  if (!sample.kind.namespaced) return remove(scene);
  const query: Step['query'] = choice.chance(0.7)
    ? { labelSelector: choice.pick(['app=web', 'tier', 'app notin (web)']) }
    : {};
  const options: JsonObject = choice.chance(0.2) ? { dryRun: ['All'] } : {};
  return { ...target, name: undefined, method: 'DELETE', query, body: deleteOptions(options) };
}

function writeStatus(scene: Scene): Step {
  const { choice, sample, target } = scene;
  const query = writeOptions(scene);
  const status = sample.statuses.length > 0 ? choice.pick(sample.statuses) : { phase: 'none' };
  const earlier = writesOf(scene);
  const of = earlier[earlier.length - 1];
  const base = { ...target, subresource: 'status', query };
  const metadata = { labels: { app: 'by-status' } };
  const change = { status, ...(choice.chance(0.3) && { metadata }) };
  if (of === undefined || choice.chance(0.5)) {
    const body = { ...change, ...(choice.chance(0.2) && { spec: { surprise: 1 } }) };
    return { ...base, method: 'PATCH', contentType: choice.pick([merge, strategicMerge]), body };
  }
  const body = withMetadata(scene, { name: target.name }, { status });
  return { ...base, method: 'PUT', body, edit: { of, change } };
}

function scale(scene: Scene): Step {
  const { choice, sample, target } = scene;
  if (!sample.scalable) return get(scene);
  const base = { ...target, subresource: 'scale' };
  if (choice.chance(0.3)) return { ...base, method: 'GET', query: {} };
  const spec = { replicas: choice.pick([0, 1, 4, 50, -2]) };
  const query = writeOptions(scene);
  if (choice.chance(0.5)) {
    return { ...base, query, method: 'PATCH', contentType: merge, body: { spec } };
  }
  const { name = '', namespace = '' } = target;
  const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name, namespace }, spec };
  return { ...base, query, method: 'PUT', body };
}

function withMetadata(scene: Scene, naming: object, content: JsonObject): JsonObject {
  const { choice, sample, seed, steps, target } = scene;
  const { namespace } = target;
  const own = sample.kind.namespaced ? { namespace } : { labels: { program: `p${seed}` } };
  const chosen = chooseMetadata(choice, steps.length);
  const labels = { ...asObject(chosen.labels), ...asObject(own.labels) };
  const metadata = {
    ...chosen,
    ...own,
    ...(Object.keys(labels).length > 0 && { labels }),
    ...naming,
  };
  const { kind } = sample.kind;
  return {
    apiVersion: apiVersionOf(sample.kind),
    kind,
    metadata: metadata as JsonObject,
    ...content,
  };
}

function writeOptions({ choice }: Scene): Step['query'] {
  return {
    ...(choice.chance(0.3) && { fieldManager: choice.pick(['ada', 'bob', 'carol']) }),
    ...(choice.chance(0.08) && { dryRun: 'All' }),
    ...(choice.chance(0.3) && { fieldValidation: choice.pick(['Strict', 'Warn', 'Ignore']) }),
  };
}
