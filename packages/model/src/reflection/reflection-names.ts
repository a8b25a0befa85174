import type { ReflectionRoute } from './reflection-route.ts';

type Route = Pick<ReflectionRoute, 'consumerClusterID'>;

/** How the names of objects and of their copies belong together; both ways, so that events of both sides have one key. */
export interface ReflectionNames {
  /** Undefined for an object that can have no copy, because its name is that of another one's. */
  readonly remoteName: (local: string, route: Route) => string | undefined;
  /** Undefined for a name that no copy has. */
  readonly localName: (remote: string, route: Route) => string | undefined;
}

export const sameNames: ReflectionNames = {
  remoteName: (local) => local,
  localName: (remote) => remote,
};
