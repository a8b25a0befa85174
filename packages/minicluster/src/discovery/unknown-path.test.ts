import { expect, test } from 'vitest';
import { askedServer, builtInRegistry, widgets } from './testing/asked-server.ts';

const registry = builtInRegistry();
registry.add(widgets('v1'));
const ask = askedServer(registry);

test.each(['/', '/nothing', '/apis/nope', '/apis/nope/v1/things', '/apis/example.com/v1/things'])(
  'unknownPathHandler() says in plain words that %s is not there',
  async (path) => {
    expect(await ask(path)).toMatchObject({
      status: 404,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: '404 page not found\n',
    });
  },
);

test.each(['/api/v2', '/api/v1/nothing', '/apis/apps/v2', '/apis/apps/v1/nothing'])(
  "unknownPathHandler() leaves %s, which is below one of the server's own groups, to the server",
  async (path) => {
    expect(await ask(path)).toBeUndefined();
  },
);
