#!/usr/bin/env node
import { register } from 'tsx/esm/api';

// Node 20 does not read TypeScript. The bundle starts at liqoctl.ts itself and needs none of this.
register();
await import('./liqoctl.ts');
