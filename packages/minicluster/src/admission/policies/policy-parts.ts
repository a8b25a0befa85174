import type { Authorizer } from '../../auth/access.ts';
import type { Registry } from '../../rest/registry.ts';
import type { Store } from '../../store/store.ts';

/** What policies are enforced with. */
export interface PolicyParts {
  readonly store: Store;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
}
