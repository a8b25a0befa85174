#!/usr/bin/env node
// Node 20 does not read TypeScript. The bundle starts at liqo.ts itself and needs none of this.
import '../../../load-typescript.mjs';

await import('./liqo.ts');
