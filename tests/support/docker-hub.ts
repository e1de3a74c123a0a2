/**
 * Docker Hub's search API behind a proxy, with the same documents: browser tests have no internet,
 * and the hub limits requests.
 */
import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { makeCertificate } from '@portcullis/testing';

export interface HubRepository {
  repo_name: string;
  short_description: string;
  star_count: number;
  pull_count: number;
  is_official: boolean;
}

export interface HubProxy {
  /** URL of the proxy for https. */
  url: string;
  /** PEM, for `NODE_EXTRA_CA_CERTS`. */
  certificate: string;
  searches: string[];
  /** From now on the hub does not answer, as behind a closed firewall. */
  cutOff(): void;
  restore(): void;
  stop(): Promise<void>;
}

const HUB = 'hub.docker.com';

export async function dockerHubProxy(
  repositories: HubRepository[],
  tags: string[],
): Promise<HubProxy> {
  const { certificate, key } = makeCertificate(HUB);
  const hub = createTlsServer({ cert: certificate, key }, ({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, `https://${HUB}`);
    const query = searchParams.get('query');
    if (query !== null) proxy.searches.push(query);
    const answer = pathname.endsWith('/tags')
      ? tagPage(tags)
      : searchPage(repositories, query ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  hub.listen(0, '127.0.0.1');
  await once(hub, 'listening');
  const open = new Set<Socket>();
  let away = false;
  const tunnel = createPlainServer((_, response) => response.writeHead(502).end());
  tunnel.on('connect', ({ url }, client: Socket) => {
    if (away || url !== `${HUB}:443`) return client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    open.add(client);
    const inner = connect((hub.address() as AddressInfo).port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      inner.pipe(client).pipe(inner);
    });
    for (const socket of [inner, client])
      socket.on('error', () => inner.destroy() && client.destroy());
    client.on('close', () => open.delete(client));
  });
  tunnel.listen(0, '127.0.0.1');
  await once(tunnel, 'listening');
  const proxy: HubProxy = {
    url: `http://127.0.0.1:${(tunnel.address() as AddressInfo).port}`,
    certificate,
    searches: [],
    cutOff() {
      away = true;
      for (const socket of open) socket.destroy();
    },
    restore() {
      away = false;
    },
    async stop() {
      hub.closeAllConnections();
      tunnel.closeAllConnections();
      hub.close();
      tunnel.close();
      await Promise.all([once(hub, 'close'), once(tunnel, 'close')]);
    },
  };
  return proxy;
}

function searchPage(repositories: HubRepository[], query: string) {
  const results = repositories
    .filter(({ repo_name }) => repo_name.includes(query))
    .map((each) => ({ ...each, repo_owner: '', is_automated: false }));
  return { count: results.length, next: '', previous: '', results };
}

function tagPage(tags: string[]) {
  const results = tags.map((name, at) => ({
    creator: 7,
    id: 1000 + at,
    images: ['amd64', 'arm64'].map((architecture) => ({
      architecture,
      features: '',
      variant: null,
      digest: `sha256:${String(at).padStart(64, '0')}`,
      os: 'linux',
      os_features: '',
      os_version: null,
      size: 29_000_000,
      status: 'active',
      last_pulled: null,
      last_pushed: null,
    })),
    last_updated: new Date(Date.now() - at * 86_400_000).toISOString(),
    last_updater_username: 'doijanky',
    name,
    repository: 1,
    full_size: 29_000_000,
    v2: true,
    tag_status: 'active',
    media_type: 'application/vnd.oci.image.index.v1+json',
    content_type: 'image',
    digest: `sha256:${String(at).padStart(64, '0')}`,
  }));
  return { count: results.length, next: null, previous: null, results };
}
