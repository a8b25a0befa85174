import { afterAll, describe } from 'vitest';
import { customDefinitions } from './custom-definitions.ts';
import { customObjects } from './custom-objects.ts';
import { customRules } from './custom-rules.ts';
import type { GetSubject } from './subject.ts';
import { WidgetWorkshop } from './widget-workshop.ts';

/** CustomResourceDefinitions from their creation to their end, and what the server does for the objects between. */
export function customResources(subject: GetSubject): void {
  describe('custom resources', () => {
    const workshop = new WidgetWorkshop(subject);
    afterAll(() => workshop.cleanUp(subject().client));

    customDefinitions(subject, workshop);
    customObjects(subject, workshop);
    customRules(subject, workshop);
  });
}
