const longestUrl = 2_048;

/** Why a consumer is not sent to a proxy, after "spec.proxyURL"; undefined for a good one. */
export function proxyUrlProblem(text: string): string | undefined {
  if (text.length > longestUrl) return `is longer than ${longestUrl} characters`;
  const url = parseUrl(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return 'is not the URL of an HTTP proxy';
  }
  if (url.username !== '' || url.password !== '') return 'has a user name or a password';
  const isPlain = url.pathname === '/' && url.search === '' && url.hash === '';
  return isPlain ? undefined : 'has more than a scheme, a host and a port';
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
