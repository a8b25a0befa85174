import { writeFileSync } from 'node:fs';
import { cliPage, renderCliPage } from './cli-page.ts';

writeFileSync(cliPage, renderCliPage());
