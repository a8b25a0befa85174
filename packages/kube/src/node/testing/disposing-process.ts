import { VirtualClock } from '@liqo/testkit';
import { connectionTo, startFaultServer } from '@liqo/testkit/faults';
import { HttpTransport } from '../http-transport.ts';
import { mirror } from './transport-world.ts';

/** Many times: opens requests without an end and one with, and disposes of the transport with the answer to that one. */
const rounds = 40;

await using server = await startFaultServer({ serve: mirror });
const connection = connectionTo(server.url, { authority: server.authority });
for (let round = 0; round < rounds; round++) {
  const transport = new HttpTransport(connection, new VirtualClock());
  const textOf = async (path: string) => (await transport.send({ method: 'GET', path })).text();
  const [first, ...others] = ['/', '/endless', '/endless'].map(textOf);
  await first;
  await transport[Symbol.asyncDispose]();
  await Promise.allSettled(others);
}
