import { expect, test } from 'vitest';
import { forgeSoftwareBill } from './software-bill.ts';

const own = { name: 'liqo', version: '1.0.0', license: 'Apache-2.0' };
const pino = { name: 'pino', version: '9.1.0', license: 'MIT' };
const scoped = { name: '@a/b', version: '2.0.0', license: '' };

test('forgeSoftwareBill() lists the program and what it contains, each with its version and license', () => {
  const bill = JSON.parse(forgeSoftwareBill({ ...own, contains: [pino, scoped] }));
  expect(bill).toMatchObject({
    spdxVersion: 'SPDX-2.3',
    packages: [
      { name: 'liqo', versionInfo: '1.0.0', licenseDeclared: 'Apache-2.0' },
      { name: '@a/b', versionInfo: '2.0.0', licenseDeclared: 'NOASSERTION' },
      { name: 'pino', versionInfo: '9.1.0', licenseDeclared: 'MIT' },
    ],
    relationships: [
      { relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-Package-liqo-1.0.0' },
      { relationshipType: 'CONTAINS', relatedSpdxElement: 'SPDXRef-Package--a-b-2.0.0' },
      { relationshipType: 'CONTAINS', relatedSpdxElement: 'SPDXRef-Package-pino-9.1.0' },
    ],
  });
});

test('forgeSoftwareBill() gives the same bytes in whatever order the packages come', () => {
  const forward = forgeSoftwareBill({ ...own, contains: [pino, scoped] });
  expect(forgeSoftwareBill({ ...own, contains: [scoped, pino] })).toBe(forward);
});
