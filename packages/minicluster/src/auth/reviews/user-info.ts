import type { User } from '../user.ts';

/** A user as objects of the API tell of one: what is empty is left out. */
export function userInfoOf({ name, uid, groups, extra }: User): object {
  return {
    username: name,
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
