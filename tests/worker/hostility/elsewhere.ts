/** Sources that redirect to other hosts: by redirects, token services and URLs in manifests. */
import type { ServerResponse } from 'node:http';
import { randomImage } from '@portcullis/testing';
import type { HostileRequest, Hostility } from '../hostile.ts';
import {
  at,
  atLayers,
  BASIC,
  type HostileCase,
  refused,
  retriedThenFailed,
  status,
  type World,
} from './case.ts';
import { documented } from './documents.ts';

const away = ({ elsewhere }: World): Hostility =>
  at('blob', (seen, response) =>
    status(307, { location: `${elsewhere.url}${seen.path}` })(seen, response),
  );

const hops = (count: number): Hostility =>
  at('blob', (seen, response) => {
    const url = new URL(seen.path, 'http://here');
    const done = Number(url.searchParams.get('hop') ?? 0);
    if (done === count) return void response.end(seen.content.bytes);
    url.searchParams.set('hop', String(done + 1));
    status(302, { location: `${url.pathname}${url.search}` })(seen, response);
  });

const REDIRECTS: HostileCase[] = [
  { source: 'sends its blobs from another host', login: true, behave: away, follows: 'staged' },
  {
    source: 'sends its manifest from another host',
    login: true,
    behave: ({ elsewhere }) =>
      at('manifest', (seen, response) => {
        status(302, {
          location: `${elsewhere.url}/v2/a/manifests/${seen.content.descriptor.digest}`,
        })(seen, response);
      }),
    follows: 'staged',
  },
  { source: 'redirects five times', behave: () => hops(5), follows: 'staged' },
  {
    source: 'redirects six times',
    behave: () => hops(6),
    follows: refused('REDIRECT_REFUSED'),
    atMost: 20,
  },
  {
    source: 'redirects in a circle',
    behave: () =>
      at('blob', (seen, response) => status(302, { location: seen.path })(seen, response)),
    follows: refused('REDIRECT_REFUSED'),
    atMost: 20,
  },
  {
    source: 'redirects to a file',
    behave: () => at('blob', status(302, { location: 'file:///etc/passwd' })),
    follows: refused('REDIRECT_REFUSED'),
    atMost: 10,
  },
  {
    source: 'redirects without a location',
    behave: () => at('blob', status(302)),
    follows: refused('REDIRECT_REFUSED'),
    atMost: 10,
  },
  {
    source: 'redirects to the metadata of a cloud',
    behave: () => at('blob', status(307, { location: 'http://169.254.169.254/latest/meta-data/' })),
    follows: refused('EGRESS_REFUSED'),
    atMost: 10,
  },
];

const says =
  (answer: (response: ServerResponse) => unknown): Hostility =>
  (_, response) => {
    answer(response);
    return true;
  };

/** Requires this token, which `realm` issues. */
function guarded(
  {
    realm,
    uses = Number.POSITIVE_INFINITY,
  }: { realm(request: HostileRequest): string; uses?: number },
  service: Hostility = says((response) => response.end(JSON.stringify({ token: 'good' }))),
): Hostility {
  let left = uses;
  return (request, response) => {
    if (request.path.startsWith('/token')) {
      left = uses;
      return service(request, response);
    }
    if (request.headers.authorization === 'Bearer good' && left-- > 0) return false;
    const challenge = `Bearer realm="${realm(request)}",service="s",scope="repository:other/app:pull"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return true;
  };
}

/** Each token is different, and accepted twice. */
function forTwoRequests(): Hostility {
  const uses = new Map<string, number>();
  return (request, response) => {
    if (request.path.startsWith('/token')) {
      const token = `token-${uses.size}`;
      uses.set(`Bearer ${token}`, 2);
      response.end(JSON.stringify({ token }));
      return true;
    }
    const given = request.headers.authorization ?? '';
    const left = uses.get(given) ?? 0;
    uses.set(given, left - 1);
    if (left > 0) return false;
    response
      .writeHead(401, { 'www-authenticate': `Bearer realm="${own(request)}",service="s"` })
      .end();
    return true;
  };
}

const own = ({ headers }: HostileRequest) => `http://${headers.host}/token`;

const TOKENS: HostileCase[] = [
  {
    source: 'requires a token',
    login: true,
    behave: () => guarded({ realm: own }),
    follows: 'staged',
  },
  {
    source: 'issues tokens that are valid for two requests',
    images: async () => [await randomImage({ bytes: 200_000 })],
    login: true,
    behave: () => forTwoRequests(),
    follows: 'staged',
  },
  {
    source: 'never accepts the token that it issued',
    login: true,
    behave: () => guarded({ realm: own, uses: 0 }),
    follows: refused('REGISTRY_UNAUTHENTICATED'),
  },
  {
    source: 'requires Basic credentials',
    login: true,
    behave: () => (request, response) => {
      if (request.headers.authorization === BASIC) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end();
      return true;
    },
    follows: 'staged',
  },
  {
    source: 'has a token service that fails',
    login: true,
    behave: () =>
      guarded(
        { realm: own },
        says((response) => response.writeHead(500).end()),
      ),
    follows: retriedThenFailed('REGISTRY_UNAVAILABLE'),
  },
  {
    source: 'has a token service that refuses the credentials',
    login: true,
    behave: () =>
      guarded(
        { realm: own },
        says((response) => response.writeHead(401).end()),
      ),
    follows: refused('REGISTRY_UNAUTHENTICATED'),
  },
  {
    source: 'has a token service that answers with 32 MiB',
    login: true,
    behave: () =>
      guarded(
        { realm: own },
        says((response) => response.end(Buffer.alloc(32 * 1024 * 1024))),
      ),
    follows: refused('REGISTRY_ANSWER_TOO_LARGE'),
  },
  {
    source: 'issues a token with a line break',
    login: true,
    behave: () =>
      guarded(
        { realm: own },
        says((response) => response.end(JSON.stringify({ token: 'good\r\nx-evil: 1' }))),
      ),
    follows: retriedThenFailed('TOKEN_INVALID'),
  },
  {
    source: 'has a token service that redirects to another host',
    login: true,
    behave: ({ elsewhere }) =>
      guarded(
        { realm: own },
        says((response) => response.writeHead(302, { location: `${elsewhere.url}/token` }).end()),
      ),
    follows: 'staged',
  },
  {
    source: 'names a token service of another host',
    login: true,
    behave: ({ elsewhere }) =>
      guarded({ realm: () => `${elsewhere.url.replace('127.0.0.1', 'localhost')}/token` }),
    follows: 'staged',
  },
  {
    source: 'names the metadata of a cloud as its token service',
    login: true,
    behave: () => guarded({ realm: () => 'https://169.254.169.254/token' }),
    follows: refused('EGRESS_REFUSED'),
  },
];

const URLS: HostileCase[] = [
  {
    source: 'has layers with urls of other hosts and of files',
    images: () =>
      documented((manifest, world) => ({
        ...manifest,
        layers: manifest.layers.map((layer) => ({
          ...layer,
          mediaType: 'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip',
          urls: [`${world}/stolen`, 'file:///etc/passwd'],
        })),
      })),
    follows: 'staged',
  },
  {
    source: 'lacks the layers for which it has urls',
    images: () =>
      documented((manifest, world) => ({
        ...manifest,
        layers: manifest.layers.map((layer) => ({ ...layer, urls: [`${world}/stolen`] })),
      })),
    behave: () => atLayers(status(404)),
    follows: refused('LAYER_FOREIGN'),
  },
];

export const ELSEWHERE = [...REDIRECTS, ...TOKENS, ...URLS];
