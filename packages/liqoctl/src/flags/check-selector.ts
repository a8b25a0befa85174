import { type NameFaults, parseLabelSelector } from '@liqo/kube';

/** What is wrong with the text of a label selector. */
export function checkSelector(text: string): NameFaults {
  try {
    parseLabelSelector(text);
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [
      `is no label selector: ${message.replace(/^Cannot parse label selector ".*?": /s, '')}`,
    ];
  }
}
