import { isSection, type Section, valueGuide } from './value-guide.ts';

/** `values.schema.json`: Helm refuses what is misspelt or of the wrong type before it renders anything. */
export function renderValuesSchema(): string {
  const text = JSON.stringify(forgeValuesSchema(), null, 2);
  // Lists of words in one line, as everywhere else.
  const listOfWords = /\[\s+("[^[\]{}]*")\s+\]/g;
  return `${text.replace(listOfWords, (_, words) => `[${words.replace(/,\s+/g, ', ')}]`)}\n`;
}

function forgeValuesSchema(): object {
  const schema = forgeSchema(valueGuide);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...schema,
    // Helm itself puts it into every chart that another one depends on.
    properties: { ...schema.properties, global: { type: 'object' } },
  };
}

interface ObjectSchema {
  readonly description: string;
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: Readonly<Record<string, object>>;
}

function forgeSchema({ about, values }: Section): ObjectSchema {
  const properties = Object.entries(values).map(([key, guide]) => {
    const schema = isSection(guide)
      ? forgeSchema(guide)
      : { description: guide.about, ...guide.schema };
    return [key, schema] as const;
  });
  return {
    description: about,
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}
