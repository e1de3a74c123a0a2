/**
 * A read-only proxy for one repository of the built-in registry, on a loopback port, for the time
 * of one download. Trivy downloads its database itself and can't connect to the Unix socket of the
 * registry. The port needs a login that is valid for this download only; the registry's own
 * credentials stay in this process.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import {
  basicAuthorization,
  type RegistryAddress,
  registryAgent,
} from '@portcullis/local-registry';
import type { RepositoryRelay } from '@portcullis/scanner';

/** @param image `name[:tag]` or `name@digest`, without a host */
export async function relayRepository(
  address: RegistryAddress,
  image: string,
): Promise<RepositoryRelay> {
  const agent = registryAgent(address, { keepAlive: true });
  const credentials = { username: 'download', password: randomBytes(24).toString('base64url') };
  const expected = basicAuthorization({ credentials });
  const beneath = `/v2/${image.replace(/[@:].*$/, '')}/`;
  const server = createServer((incoming, response) => {
    const status = refusalOf(incoming, { expected, beneath });
    if (status === null) return void forward(incoming, response);
    response
      .writeHead(status, status === 401 ? { 'WWW-Authenticate': 'Basic realm="download"' } : {})
      .end();
  });

  async function forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { accept, range } = incoming.headers;
    const authorization = basicAuthorization(address);
    const given = { accept, range, authorization };
    const headers = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    );
    const path = new URL(incoming.url ?? '', address.base);
    const passed = request(path, { method: incoming.method, headers, agent }).end();
    try {
      const [answer]: IncomingMessage[] = await once(passed, 'response');
      if (answer === undefined) return;
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      await pipeline(answer, response);
    } catch {
      response.destroy();
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    repository: `127.0.0.1:${port}/${image}`,
    credentials,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

/** The HTTP status of a refusal; null for a permitted request. */
function refusalOf(
  { method, url = '', headers }: IncomingMessage,
  { expected, beneath }: { expected: string | undefined; beneath: string },
): number | null {
  if (headers.authorization !== expected) return 401;
  const reads = method === 'GET' || method === 'HEAD';
  const { pathname } = new URL(url, 'http://relay.invalid');
  return reads && (pathname === '/v2/' || pathname.startsWith(beneath)) ? null : 404;
}
