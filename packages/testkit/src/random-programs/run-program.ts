import {
  ApiError,
  applyMergePatch,
  type Client,
  isJsonObject,
  type Json,
  resourcePath,
} from '@liqo/kube';
import { followKinds } from './follow-kinds.ts';
import { keptSteps, type Program, type Remembered, type Step } from './program.ts';
import { sampleKinds } from './sample-kinds.ts';

/** What a server made of a program: an answer for every step, and the events of every kind in its namespaces. */
export interface Trace {
  readonly answers: readonly Answer[];
  readonly events: Readonly<Record<string, readonly unknown[]>>;
}

interface Answer {
  readonly code: number;
  readonly warning?: string | undefined;
  readonly body: unknown;
}

const notAsked: Answer = { code: 0, body: undefined };

/** Runs a program on a server that `prepareServer()` has seen, in namespaces that must not exist yet. */
export async function runProgram(client: Client, program: Program): Promise<Trace> {
  const since = await createNamespaces(client, program);
  const kept = new Set(keptSteps(program));
  const answers: Answer[] = [];
  for (const [number, step] of program.steps.entries()) {
    answers.push(kept.has(number) ? await runStep(client, step, answers) : notAsked);
  }
  return { answers, events: await followKinds(client, program, since) };
}

/** The version from which on everything is the program's own doing. */
async function createNamespaces(
  client: Client,
  { namespaces, name: program }: Program,
): Promise<string> {
  const labels = { program };
  let version = '';
  for (const name of namespaces.slice(0, 2)) {
    await send(client, post('/api/v1/namespaces', { metadata: { name, labels } }));
    const account = post(`/api/v1/namespaces/${name}/serviceaccounts`, {
      metadata: { name: 'default' },
    });
    version = String(metadataOf((await send(client, account)).body).resourceVersion);
  }
  return version;
}

function post(path: string, body: Json): Request {
  const headers = { 'content-type': 'application/json', 'user-agent': 'setup' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

type Request = Parameters<Client['raw']>[0];

async function runStep(client: Client, step: Step, answers: readonly Answer[]): Promise<Answer> {
  const resolved = (text: string) => resolve(text, answers);
  const query = Object.fromEntries(
    Object.entries(step.query).map(([key, value]) => [key, resolved(value)]),
  );
  const path = resourcePath(sampleKinds[step.kind].kind, step, query);
  const headers = {
    'user-agent': `${step.caller}/1.0`,
    'content-type': step.contentType ?? 'application/json',
  };
  const body = JSON.stringify(bodyOf(step, answers), (_, value) =>
    typeof value === 'string' ? resolved(value) : value,
  );
  const { method } = step;
  return send(
    client,
    body === undefined ? { method, path, headers } : { method, path, headers, body },
  );
}

async function send(client: Client, request: Request): Promise<Answer> {
  try {
    const response = await client.raw(request);
    const { warning } = response.headers;
    return { code: response.status, warning, body: JSON.parse(await response.text()) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, reason, message, details } = error;
    return { code, body: { reason, message, details } };
  }
}

function bodyOf({ edit, body }: Step, answers: readonly Answer[]): unknown {
  const edited = edit && answers[edit.of]?.body;
  const isObject = isJsonObject(edited) && isJsonObject(edited.metadata);
  return edit && isObject ? applyMergePatch(edited, edit.change) : body;
}

/** What `$3.uid` and the like stand for; a word that no server knows when the step got no such thing. A list
 * that had no more is begun anew. */
function resolve(text: string, answers: readonly Answer[]): string {
  const reference = /^\$(\d+)\.(\w+)$/.exec(text);
  if (!reference) return text;
  const metadata = metadataOf(answers[Number(reference[1])]?.body);
  const found = metadata[fieldOf[reference[2] as Remembered]];
  if (typeof found === 'string' && found !== '') return found;
  return reference[2] === 'continue' ? '' : 'missing';
}

const fieldOf: Readonly<Record<Remembered, string>> = {
  uid: 'uid',
  version: 'resourceVersion',
  continue: 'continue',
};

function metadataOf(body: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(body) && isJsonObject(body.metadata) ? body.metadata : {};
}
