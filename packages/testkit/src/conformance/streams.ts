import type { ByteStream, Client, ObjectKey } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { startEchoKubelet } from '../echo-kubelet.ts';
import { rejection } from '../rejection.ts';
import { clientMessage, serverMessages, webSocketHeaders } from '../web-socket-frames.ts';
import { makePodOn } from './pod-on-node.ts';
import type { GetSubject } from './subject.ts';

const command = { command: ['echo', 'a b'], stdin: true, stdout: true };

/** What the API server makes of exec, attach and portforward: how kubelets are asked, and what clients are told. */
export function streams(subject: GetSubject): void {
  describe('streams', () => {
    test('a client that speaks SPDY reaches the kubelet with what it asked for and without its credentials', async () => {
      await using kubelet = await startEchoKubelet();
      const pod = await makePodOn(subject, kubelet.port);
      const headers = { 'x-stream-protocol-version': 'v4.channel.k8s.io', authorization: 'None' };
      const options = { protocol: 'SPDY/3.1', query: command, headers };
      const { stream } = await subject().client.connect(pod, 'exec', options);
      stream.destroy();
      expect(kubelet.switched).toMatchObject([
        {
          method: 'POST',
          url: `/exec/${pod.namespace}/${pod.name}/main?command=echo&command=a+b&input=1&output=1`,
          headers: {
            upgrade: 'SPDY/3.1',
            'x-stream-protocol-version': 'v4.channel.k8s.io',
            'x-forwarded-for': '127.0.0.1',
          },
        },
      ]);
      expect(kubelet.switched[0]?.headers.authorization).toBeUndefined();
    });

    test.each(['exec', 'attach'] as const)(
      '%s over version 5 on a WebSocket asks the kubelet for SPDY',
      async (verb) => {
        await using kubelet = await startEchoKubelet();
        kubelet.refuseStreams('not today');
        const pod = await makePodOn(subject, kubelet.port);
        const query = verb === 'exec' ? command : { stdin: true, stdout: true };
        const stream = await openWebSocket(subject().client, pod, verb, 'v5.channel.k8s.io', query);
        const messages = await collect(stream);
        const asked = verb === 'exec' ? 'command=echo&command=a+b&' : '';
        expect(kubelet.switched).toMatchObject([
          {
            method: 'POST',
            url: `/${verb}/${pod.namespace}/${pod.name}/main?${asked}input=1&output=1`,
            headers: {
              upgrade: 'SPDY/3.1',
              'x-stream-protocol-version':
                'v5.channel.k8s.io, v4.channel.k8s.io, v3.channel.k8s.io, v2.channel.k8s.io, channel.k8s.io',
            },
          },
        ]);
        expect(messages[0]).toBe('\x01');
        expect(messages[1]?.[0]).toBe('\x03');
        expect(JSON.parse(messages[1]?.slice(1) ?? '')).toEqual({
          metadata: {},
          status: 'Failure',
          message: 'Internal error occurred: unable to upgrade connection: not today',
          reason: 'InternalError',
          details: { causes: [{ message: 'unable to upgrade connection: not today' }] },
          code: 500,
        });
      },
    );

    test('older versions on a WebSocket are the kubelet’s to answer', async () => {
      await using kubelet = await startEchoKubelet();
      const pod = await makePodOn(subject, kubelet.port);
      const { client } = subject();
      const stream = await openWebSocket(client, pod, 'exec', 'v4.channel.k8s.io', command);
      stream.destroy();
      expect(kubelet.switched).toMatchObject([
        {
          method: 'GET',
          headers: { upgrade: 'websocket', 'sec-websocket-protocol': 'v4.channel.k8s.io' },
        },
      ]);
    });

    test('a tunnel through a WebSocket carries the bytes of a kubelet that speaks SPDY', async () => {
      await using kubelet = await startEchoKubelet();
      const pod = await makePodOn(subject, kubelet.port);
      const protocol = 'SPDY/3.1+portforward.k8s.io';
      const query = { ports: ['80', '81'] };
      const { client } = subject();
      const stream = await openWebSocket(client, pod, 'portforward', protocol, query);
      stream.write(clientMessage(Buffer.from('there and back')));
      const first = await serverMessages(stream).next();
      expect(Buffer.from(first.value ?? '').toString()).toBe('there and back');
      expect(kubelet.switched).toMatchObject([
        {
          method: 'POST',
          url: `/portForward/${pod.namespace}/${pod.name}?port=80%2C81`,
          headers: {
            upgrade: 'SPDY/3.1',
            'x-stream-protocol-version': 'portforward.k8s.io',
            'x-forwarded-for': '127.0.0.1',
          },
        },
      ]);
      expect(kubelet.switched[0]?.headers['sec-websocket-key']).toBeUndefined();
      stream.destroy();
    });

    test.each([
      ['SPDY/3.1', {}],
      ['websocket', webSocketHeaders('SPDY/3.1+portforward.k8s.io')],
    ])('the refusal of a kubelet is passed on as it is, over %s', async (protocol, headers) => {
      await using kubelet = await startEchoKubelet();
      kubelet.refuseStreams('not today');
      const pod = await makePodOn(subject, kubelet.port);
      const error = await rejection(
        subject().client.connect(pod, 'portforward', { protocol, headers }),
      );
      expect(error).toMatchObject({ code: 500, message: expect.stringContaining('not today') });
    });

    test('a kubelet that is gone is told of', async () => {
      const pod = await makePodOn(subject, 9);
      const { client } = subject();
      const options = { protocol: 'SPDY/3.1', query: command };
      const fact = 'dial tcp 127.0.0.1:9: connect: connection refused';
      expect(await rejection(client.connect(pod, 'exec', options))).toMatchObject({
        code: 500,
        reason: '',
        message: `error dialing backend: ${fact}`,
      });
      const url = `https://127.0.0.1:9/containerLogs/${pod.namespace}/${pod.name}/main`;
      expect(await rejection(client.logs(pod))).toMatchObject({
        code: 500,
        message: `Get "${url}": ${fact}`,
      });
    });

    test('a request that asks for no other protocol is refused', async () => {
      await using kubelet = await startEchoKubelet();
      const { namespace, name } = await makePodOn(subject, kubelet.port);
      const path = `/api/v1/namespaces/${namespace}/pods/${name}/exec?command=ls&stdout=true`;
      const error = await rejection(subject().client.raw({ method: 'POST', path }));
      expect(error).toMatchObject({ code: 400, message: 'Upgrade request required' });
    });
  });
}

async function openWebSocket(
  client: Client,
  pod: ObjectKey,
  verb: 'exec' | 'attach' | 'portforward',
  protocol: string,
  query: Parameters<Client['connect']>[2]['query'],
): Promise<ByteStream> {
  const headers = webSocketHeaders(protocol);
  const options = { protocol: 'websocket', headers, ...(query && { query }) };
  return (await client.connect(pod, verb, options)).stream;
}

async function collect(stream: ByteStream): Promise<string[]> {
  const messages: string[] = [];
  for await (const message of serverMessages(stream)) {
    messages.push(Buffer.from(message).toString());
  }
  stream.destroy();
  return messages;
}
