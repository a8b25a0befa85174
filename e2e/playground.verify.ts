import { repeatedStarts } from './playground/repeated-starts.ts';

repeatedStarts(20);
