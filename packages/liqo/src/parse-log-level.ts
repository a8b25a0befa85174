import type { LogLevel } from '@liqo/runtime';
import { UsageError } from './flags.ts';

export function parseLogLevel(text: string): LogLevel {
  if (text === 'debug' || text === 'info' || text === 'warn' || text === 'error') return text;
  throw new UsageError(`Cannot log at level "${text}": it is not debug, info, warn or error`);
}
