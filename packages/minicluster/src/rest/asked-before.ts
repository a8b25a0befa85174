import { type RequestInfo, readRequestInfo } from './request-info.ts';
import { readRequestTarget } from './request-target.ts';

/** What a request asks for. It is shared: nobody may change the query. */
export interface Asked {
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
}

const mostRemembered = 1_000;

/** Reads what requests ask for. Most ask for what was asked for a moment ago, and to read it takes its time. */
export class AskedBefore {
  readonly #known = new Map<string, Asked>();

  read(method: string, target: string): Asked {
    const request = `${method} ${target}`;
    const known = this.#known.get(request);
    if (known) return known;
    const { pathname, searchParams: query } = readRequestTarget(target);
    const asked = { info: readRequestInfo(method, pathname, query), query };
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(request, asked);
    return asked;
  }
}
