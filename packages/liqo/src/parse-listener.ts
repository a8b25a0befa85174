import { UsageError } from './flags.ts';

const listener = /^(?:\[(?<address>[^\s[\]]+)\]|(?<host>[^\s:[\]]*)):(?<port>\d{1,5})$/;

/** `:8081`, `10.0.0.1:8081` or `[::1]:8081`. */
export function parseListener(text: string): { readonly port: number; readonly host?: string } {
  const { address, host = address, port } = listener.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) {
    throw new UsageError(
      `Cannot listen on "${text}": it is not of the form "host:port" or ":port"`,
    );
  }
  return host ? { port: Number(port), host } : { port: Number(port) };
}
