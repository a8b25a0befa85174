import type { Clock } from '@liqo/kube';
import { destination as openDestination, pino } from 'pino';
import { systemClock } from '../clock.ts';
import { type FieldOptions, type LogFields, printableFields } from './log-fields.ts';
import { prettyLine } from './pretty-log.ts';

/**
 * Where a component says what it did. The message is a constant sentence, what varies is in the fields.
 *
 * Lines are JSON objects with `ts` (ISO 8601), `level`, `logger` (the program) and `msg`, as klog's JSON format names
 * them, then the fields. The same thing has the same key everywhere: `cluster`, `controller`, `object`, `pod`, `node`,
 * `namespace` (objects as `namespace/name`), `reconcile` (an id), `durationMs`, and `err` for an error.
 */
export interface Logger {
  /** Everything that is of interest only to somebody who looks for a fault. */
  debug(message: string, fields?: LogFields): void;
  /** The world changed, once per change. */
  info(message: string, fields?: LogFields): void;
  /** We coped, but somebody may want to know. */
  warn(message: string, fields?: LogFields): void;
  /** Only where an error is finally handled; everybody else passes it up. */
  error(message: string, fields?: LogFields): void;
  /** The same log with fields on every line. A line's own field wins over one given here. */
  with(fields: LogFields): Logger;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Takes whole lines, newline included. */
export interface LogDestination {
  write(line: string): unknown;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Standard error when absent. */
  readonly destination?: LogDestination;
  /** Lines for a person at a terminal instead of JSON. */
  readonly pretty?: boolean;
  /** The program, as `logger` on every line. */
  readonly name?: string;
  readonly clock?: Clock;
}

export function createLogger(options: LoggerOptions): Logger {
  const { level, name, clock = systemClock, destination = standardError() } = options;
  const lines = options.pretty ? prettyDestination(destination) : destination;
  const output = pino(
    {
      level,
      base: name === undefined ? {} : { logger: name },
      timestamp: () => `,"ts":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (alreadyPrintable) => alreadyPrintable },
    },
    { write: (line) => void lines.write(line) },
  );
  return loggerWith((line) => write(output, line), {}, { stacks: level === 'debug' });
}

/** Says nothing. */
export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silentLogger,
};

interface Line {
  readonly level: LogLevel;
  readonly message: string;
  /** Computed only when the line is going to be written. */
  readonly fields: () => LogFields;
}

function write(output: pino.Logger, line: Line): void {
  if (output.isLevelEnabled(line.level)) output[line.level](line.fields(), line.message);
}

function loggerWith(
  writeLine: (line: Line) => void,
  bound: LogFields,
  print: FieldOptions,
): Logger {
  const at = (level: LogLevel) => (message: string, own?: LogFields) =>
    writeLine({
      level,
      message,
      fields: () => ({ ...bound, ...printableFields(own ?? {}, print) }),
    });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (more) => loggerWith(writeLine, { ...bound, ...printableFields(more, print) }, print),
  };
}

function prettyDestination(destination: LogDestination): LogDestination {
  return { write: (line) => destination.write(prettyLine(line)) };
}

/** Written at once, so that the last words before a crash are not lost. */
function standardError(): LogDestination {
  const stderr = openDestination({ fd: 2, sync: true });
  // A reader that went away (`… 2>&1 | head`) is no reason to stop working.
  stderr.on('error', () => undefined);
  return stderr;
}
