/**
 * deploy/image/answers, the health check of the api's image, against servers that answer in
 * different ways.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Server } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';

const SCRIPT = path.resolve(import.meta.dirname, '../../deploy/image/answers');

async function check(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  try {
    return await run(port);
  } finally {
    server.close();
  }
}

function run(port: number): Promise<number> {
  return new Promise((resolve) => {
    const child = execFile(SCRIPT, { env: { ...process.env, PORT: String(port) } }, () =>
      resolve(child.exitCode ?? -1),
    );
  });
}

const answering = (listener: RequestListener) => createServer(listener);

it('succeeds on 200 at /api/health', async () => {
  const server = answering(({ url }, to) =>
    to.writeHead(url === '/api/health' ? 200 : 404).end('{}'),
  );
  expect(await check(server)).toBe(0);
});

it.each([
  { what: '503', server: () => answering((_, to) => to.writeHead(503).end()) },
  {
    what: 'a redirect',
    server: () => answering((_, to) => to.writeHead(302, { location: '/' }).end()),
  },
  {
    what: 'an answer that is no HTTP',
    server: () => createSocketServer((socket) => socket.end('hello\n')),
  },
  {
    what: 'a connection that ends at once',
    server: () => createSocketServer((socket) => socket.destroy()),
  },
  {
    what: 'silence',
    server: () => createSocketServer((socket) => void socket.on('error', () => {})),
  },
])('fails on $what', async ({ server }) => expect(await check(server())).not.toBe(0));

it('fails where no process listens', async () => {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  server.close();
  await once(server, 'close');
  expect(await run(port)).not.toBe(0);
});
