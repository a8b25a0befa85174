import { writeFileSync } from 'node:fs';
import { reasonsPage, renderReasonsPage } from './reasons-page.ts';

writeFileSync(reasonsPage, renderReasonsPage());
