import { renderJsonDocument, renderYamlDocument } from '../output/render-objects.ts';
import { UserError } from '../user-error.ts';
import { pickField } from './pick-field.ts';

interface FieldOptions {
  readonly path: string;
  readonly output: 'table' | 'json' | 'yaml' | undefined;
  /** A command that shows all fields. */
  readonly showAll: string;
}

/** One field of a document: a bare value as it is, anything else as YAML or JSON. */
export function renderField(document: unknown, { path, output, showAll }: FieldOptions): string {
  const field = pickField(document, path);
  if (field === undefined) {
    const message = `Cannot get "${path}": there is no such field, or it is empty`;
    throw new UserError(message, { hint: `See which there are: ${showAll}` });
  }
  if (output === 'json') return renderJsonDocument(field);
  return typeof field === 'object' ? renderYamlDocument(field) : `${field}\n`;
}
