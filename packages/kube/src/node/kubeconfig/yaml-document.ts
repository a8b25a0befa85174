import {
  boolYaml11Tag,
  CORE_SCHEMA,
  constructFromEvents,
  type Event,
  mergeTag,
  parseEvents,
  YAMLException,
} from 'js-yaml';
import { KubeconfigError } from './kubeconfig-error.ts';
import { Place } from './place.ts';
import { yamlLines } from './yaml-lines.ts';

/** A value of a document, and where it is. */
export interface Field {
  readonly value: unknown;
  readonly place: Place;
}

/** kubectl's reader keeps two habits of YAML 1.1: `yes` and `on` are booleans, and `<<` merges. */
const kubectlSchema = CORE_SCHEMA.withTags(boolYaml11Tag, mergeTag);

/** Reads the only document of a YAML (or JSON) text; an empty text has the value `null`. */
export function readYamlDocument(text: string, source: string): Field {
  const events = parse(text, source);
  const [value = null, ...others] = construct(text, events, source);
  if (others.some((other) => other !== null)) throw severalDocuments(source);
  return { value, place: new Place({ source, lines: yamlLines(text, events) }) };
}

function parse(text: string, source: string): Event[] {
  try {
    return parseEvents(text, {});
  } catch (error) {
    throw syntaxProblem(error, source);
  }
}

function construct(text: string, events: Event[], source: string): unknown[] {
  try {
    return constructFromEvents(events, { source: text, schema: kubectlSchema });
  } catch (error) {
    throw syntaxProblem(error, source);
  }
}

/** The parser's error quotes the text around the fault, which may be a token: neither it nor its cause is kept. */
function syntaxProblem(error: unknown, source: string): KubeconfigError {
  if (!(error instanceof YAMLException)) {
    return new KubeconfigError({ source, reason: 'it is not valid YAML' });
  }
  const line = error.mark && error.mark.line + 1;
  return new KubeconfigError({ source, line, reason: `not valid YAML: ${wordsOf(error.reason)}` });
}

/** A reason ends with a piece of the file in some cases: after a colon, in quotes, or as a tag. */
function wordsOf(reason: string): string {
  return reason.replace(/\s*[":!].*$/s, '');
}

function severalDocuments(source: string): KubeconfigError {
  return new KubeconfigError({
    source,
    reason:
      'it holds several YAML documents, of which only one would count; ' +
      'make each a file of its own and list the files in KUBECONFIG',
  });
}
