import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { unreadResponseSweep } from './unread-responses.ts';

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** A client that reads nothing until `socket.resume()`. */
async function serving(handler: RequestListener, requests = 1) {
  let begun = 0;
  const server = createServer((request, response) => {
    begun += 1;
    void handler(request, response);
  });
  const sweep = unreadResponseSweep(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => {}); // the server ended it
  ended.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const [theirs] = await accepted;
  const client = { closed: false };
  theirs.on('close', () => {
    client.closed = true;
  });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests));
  await expect.poll(() => begun).toBeGreaterThan(0);
  return { sweep, client, socket, begun: () => begun };
}

const LARGE = Buffer.alloc(64 * 1024 * 1024);

it('a response of which the client takes nothing is ended after two windows', async () => {
  const { sweep, client } = await serving((_, response) => void response.end(LARGE));
  sweep();
  expect(client.closed).toBe(false);
  sweep();
  await expect.poll(() => client.closed).toBe(true);
});

it('a response that the client takes slowly goes on', async () => {
  const { sweep, client, socket } = await serving((_, response) => {
    const part = Buffer.alloc(1024 * 1024);
    const more = () => void response.write(part, (error) => error ?? more());
    more();
  });
  let taken = 0;
  socket.on('data', ({ byteLength }) => {
    taken += byteLength;
    socket.pause();
  });
  socket.pause();
  for (let window = 0; window < 5; window += 1) {
    sweep();
    const before = taken;
    while (taken < before + 8 * 1024 * 1024) {
      const received = once(socket, 'data');
      socket.resume();
      await received;
    }
  }
  expect(client.closed).toBe(false);
});

it('a stream without anything to send is not ended', async () => {
  const { sweep, client } = await serving((_, response) => void response.write(': beat\n\n'));
  for (let window = 0; window < 5; window += 1) sweep();
  expect(client.closed).toBe(false);
});

it('five requests at once on a connection end it; four do not', async () => {
  const four = await serving(() => {}, 4);
  await expect.poll(four.begun).toBe(4);
  expect(four.client.closed).toBe(false);
  const five = await serving(() => {}, 5);
  await expect.poll(() => five.client.closed).toBe(true);
});
