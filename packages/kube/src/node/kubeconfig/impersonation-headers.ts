import { fitsHeader } from './header-value.ts';
import type { KubeconfigUser } from './kubeconfig.ts';
import type { Place } from './place.ts';

/** The headers that ask the API server to act as somebody else; names in lower case. */
export function impersonationHeaders(
  user: KubeconfigUser,
  place: Place,
): Readonly<Record<string, string | string[]>> {
  if (!user.as) {
    refuseOrphans(user, place);
    return {};
  }
  const groups = user['as-groups'] ?? [];
  return {
    'impersonate-user': checked(user.as, place.key('as')),
    ...(user['as-uid'] && { 'impersonate-uid': checked(user['as-uid'], place.key('as-uid')) }),
    ...(groups.length > 0 && { 'impersonate-group': allChecked(groups, place.key('as-groups')) }),
    ...extraHeaders(user['as-user-extra'] ?? {}, place.key('as-user-extra')),
  };
}

function extraHeaders(extra: Readonly<Record<string, readonly string[]>>, place: Place) {
  const headers = Object.entries(extra)
    .filter(([, values]) => values.length > 0)
    .map(([key, values]) => [
      `impersonate-extra-${escapeKey(key)}`,
      allChecked(values, place.key(key)),
    ]);
  return Object.fromEntries(headers) as Record<string, string[]>;
}

/** What is not allowed in a header's name is percent-encoded; the API server decodes it (and ignores case). */
function escapeKey(key: string): string {
  const escaped = [...Buffer.from(key)].map((byte) => {
    const letter = String.fromCharCode(byte);
    const isLegal = /[A-Za-z0-9!#$&'*+.^_`|~-]/.test(letter);
    return isLegal ? letter.toLowerCase() : `%${byte.toString(16).padStart(2, '0')}`;
  });
  return escaped.join('');
}

function refuseOrphans(user: KubeconfigUser, place: Place): void {
  const orphans = {
    'as-uid': user['as-uid'],
    'as-groups': user['as-groups']?.[0],
    'as-user-extra': Object.keys(user['as-user-extra'] ?? {})[0],
  };
  const orphan = Object.entries(orphans).find(([, value]) => value !== undefined && value !== '');
  if (orphan) throw place.key(orphan[0]).problem('is set without "as", the user to impersonate');
}

function allChecked(values: readonly string[], place: Place): string[] {
  return values.map((value, index) => checked(value, place.item(index)));
}

function checked(value: string, place: Place): string {
  if (fitsHeader(value)) return value;
  throw place.problem('has a line break or another character that no header can hold');
}
