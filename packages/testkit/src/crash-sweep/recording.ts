import { isJsonObject, type Json } from '@liqo/kube';

/** What there was at the moments of a story that are worth a look. */
export type Recording = readonly Scene[];

export interface Scene {
  /** When. */
  readonly name: string;
  readonly objects: readonly SceneObject[];
}

/** Something that there was, without what is never the same twice. Several may have the same name. */
export interface SceneObject {
  /** `rome Pod shop/web-*` */
  readonly name: string;
  readonly content: Json;
}

/** One line for everything that is missing or too much, with the moment at which it is. */
export function compareRecordings(expected: Recording, actual: Recording): readonly string[] {
  if (actual.length !== expected.length) {
    return [`the story has ${actual.length} scenes instead of ${expected.length}`];
  }
  return expected.flatMap((scene, index) => compareScenes(scene, actual[index]));
}

function compareScenes(expected: Scene, actual: Scene | undefined): readonly string[] {
  const [before, after] = [byText(expected.objects), byText(actual?.objects ?? [])];
  const missing = surplus(before, after).flatMap(leavesOf);
  const unexpected = surplus(after, before).flatMap(leavesOf);
  return [
    ...surplus(missing, unexpected).map((leaf) => `when ${expected.name}, missing: ${leaf}`),
    ...surplus(unexpected, missing).map((leaf) => `when ${expected.name}, unexpected: ${leaf}`),
  ];
}

const separator = ' = ';

function byText(objects: readonly SceneObject[]): readonly string[] {
  return objects.map(({ name, content }) => `${name}${separator}${JSON.stringify(content)}`);
}

/** One line for every value in an object: objects that are almost the same differ in a line or two. */
function leavesOf(text: string): readonly string[] {
  const at = text.indexOf(separator);
  const content: Json = JSON.parse(text.slice(at + separator.length));
  return leaves(text.slice(0, at), content);
}

function leaves(path: string, value: Json): readonly string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((item, index) => leaves(`${path}[${index}]`, item));
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item]) => leaves(`${path} .${key}`, item ?? null));
  }
  return [`${path}: ${JSON.stringify(value)}`];
}

/** Those of the first that the second has not, as often as it has not. */
function surplus(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
