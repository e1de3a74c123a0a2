/**
 * `node http-server.ts`: a registry's side of http-load.ts, from memory. Prints its origins and the
 * certificate of the second as JSON.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '@portcullis/testing';

const PIECE = Buffer.alloc(1 << 20, 'x');
const TAGS = JSON.stringify({ tags: Array.from({ length: 100 }, (_, n) => `1.0.${n}`) });

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request);
  if (request.url === '/tags') {
    response.end(TAGS);
    return;
  }
  const pieces = Number(request.url?.slice(1));
  response.writeHead(200, { 'content-length': pieces * PIECE.length });
  for (let n = 0; n < pieces; n += 1) if (!response.write(PIECE)) await once(response, 'drain');
  response.end();
}

const { certificate, key } = makeCertificate();
const servers = [createServer(answer), createTlsServer({ cert: certificate, key }, answer)];
const ports: number[] = [];
for (const server of servers) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ports.push((server.address() as AddressInfo).port);
}
const [plain, tls] = ports;
const origins = { plain: `http://127.0.0.1:${plain}`, tls: `https://127.0.0.1:${tls}` };
process.stdout.write(`${JSON.stringify({ ...origins, ca: certificate })}\n`);
