import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { postponeContinue } from './http/expect-continue.ts';
import { slowBodySweep } from './slow-bodies.ts';

const LEAST = 100;
const LENGTH = 1_000_000;
const ended: (() => void)[] = [];

afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** A server that has received the head of a request with a body. */
async function begun(handler: RequestListener, ...headers: string[]) {
  const server = createServer(handler);
  postponeContinue(server);
  const sweep = slowBodySweep(server, LEAST);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const arrived = once(server, 'request');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  ended.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const client = { said: '', closed: false };
  socket.on('data', (chunk) => {
    client.said += chunk;
  });
  socket.on('close', () => {
    client.closed = true;
  });
  socket.on('error', () => {}); // the server ended it
  const head = ['PUT / HTTP/1.1', 'Host: x', `Content-Length: ${LENGTH}`, ...headers];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [request]: IncomingMessage[] = await arrived;
  if (!request) throw new Error('no request arrived');
  const headLength = request.socket.bytesRead;

  /** Sends bytes until the server has received the given total of the body. */
  async function send(bytes: number, total: number): Promise<void> {
    socket.write('x'.repeat(bytes));
    await expect.poll(() => request?.socket.bytesRead).toBe(headLength + total);
  }
  return { sweep, client, send, socket, request };
}

it.each<[string, RequestListener, RegExp]>([
  ['is read', (request) => void request.resume(), /^HTTP\/1.1 408 /],
  ['was refused', (_, response) => void response.writeHead(401).end(), /^HTTP\/1.1 401 /],
])(
  'F15: a body that trickles in and %s does not hold its connection',
  async (_, handler, answer) => {
    const { sweep, client, send } = await begun(handler);
    sweep();
    await send(LEAST - 1, LEAST - 1);
    sweep();
    await expect.poll(() => client.closed).toBe(true);
    expect(client.said).toMatch(answer);
  },
);

it('F15: a body at the minimum rate is accepted, for any duration', async () => {
  const { sweep, client, send } = await begun((request) => void request.resume());
  for (let window = 0; window < 20; window++) {
    sweep();
    await send(LEAST, (window + 1) * LEAST);
  }
  sweep();
  expect(client).toEqual({ said: '', closed: false });
});

it('F15: a connection is not closed for bytes that we have not read', async () => {
  const { sweep, client, socket, request } = await begun((received, response) => {
    received.once('end', () => response.end('read'));
  });
  socket.write(Buffer.alloc(LENGTH));
  await expect.poll(() => request.readableLength).toBeGreaterThan(0);
  for (let window = 0; window < 20; window++) sweep();
  request.resume();
  await expect.poll(() => client.said).toMatch(/^HTTP\/1.1 200 /);
});

it('F15: a client that waits for 100 Continue is not disconnected', async () => {
  const { sweep, client } = await begun(() => {}, 'Expect: 100-continue');
  for (let window = 0; window < 20; window++) sweep();
  expect(client).toEqual({ said: '', closed: false });
});
