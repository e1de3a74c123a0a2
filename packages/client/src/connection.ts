/** HTTP to one installation: proxies, certificate authorities, repetitions, and its faults. */
import { type AppError, invalid, isAppError, unavailable } from '@portcullis/errors';
import { createTransport, type ProxyEnv, type Transport } from '@portcullis/oci/remote';

export interface ConnectionOptions {
  /** The origin of the installation; see `siteOf`. */
  site: URL;
  /** `User-Agent`. */
  name: string;
  /** Certificate authorities in PEM format, in addition to the system's. */
  ca?: string | undefined;
  proxy?: ProxyEnv | undefined;
}

export interface SiteConnection {
  site: URL;
  /** @throws AppError where there is no answer */
  send(request: SiteRequest): Promise<SiteAnswer>;
  /** Streams the answer to a GET. @throws AppError where there is no answer */
  open(path: string, headers: Record<string, string>): ReturnType<Transport['open']>;
  close(): void;
}

interface SiteRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Whether it may be sent again after a failure. */
  repeatable: boolean;
}

interface SiteAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
  /** Where it came from, after redirects. */
  url: URL;
}

/** Attempts over about a minute, so that an update of the api is not noticed. */
const RETRIES = { retries: 6, retryBaseMs: 1_000 };
/** A request with `wait` is silent for up to 55 seconds. */
const SILENCE_MS = 90_000;
const MOST_BYTES = 64 * 1024 * 1024;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The origin that people write: `images.example.com`. @throws invalid `SITE_INVALID` */
export function siteOf(text: string): URL {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw invalid(
      'SITE_INVALID',
      `"${text}" is no address; give one such as https://images.example`,
    );
  if (url.username !== '' || url.password !== '')
    throw invalid('SITE_INVALID', 'the address contains a password; give it without one');
  return new URL(url.origin);
}

export function createConnection({ site, name, ca, proxy }: ConnectionOptions): SiteConnection {
  const transport = createTransport({
    ...RETRIES,
    client: { userAgent: name },
    proxy,
    stall: { idleMs: SILENCE_MS, windowMs: SILENCE_MS },
    // A body may have an identity token or a password: it goes to no other origin.
    redirectOrigins: [site.origin],
  });
  const trust = { verify: true, ca };
  return {
    site,
    async send({ method, path, headers, body, repeatable }) {
      const bytes = body === undefined ? undefined : Buffer.from(body);
      const answer = await transport
        .send({
          method: METHODS.find((each) => each === method) ?? 'GET',
          url: new URL(path, site),
          ...withAuthorization(headers),
          trust,
          maxBytes: MOST_BYTES,
          retry: repeatable,
          ...(bytes && { body: { size: bytes.length, open: async () => once(bytes) } }),
        })
        .catch((error: unknown) => {
          throw explained(error, site);
        });
      return { ...answer, text: answer.body.toString('utf8') };
    },
    open: (path, headers) =>
      transport
        .open({ url: new URL(path, site), ...withAuthorization(headers), trust })
        .catch((error: unknown) => {
          throw explained(error, site);
        }),
    close: () => transport.close(),
  };
}

/** The transport omits it where a redirect leads to another origin. */
function withAuthorization({ authorization, ...headers }: Record<string, string>) {
  return { headers, authorization };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The transport speaks of registries. */
function explained(error: unknown, { host }: URL): unknown {
  if (!isAppError(error)) return error;
  const remedy = REMEDIES[error.code] ?? 'try again later';
  return unavailable(codeOf(error), `${error.message}; ${remedy}`, {
    cause: error,
    detail: { host },
  });
}

const REMEDIES: Record<string, string> = {
  REGISTRY_TLS_FAILED:
    'if an authority of your own signs its certificate, give it with --ca; if the server has no TLS, write http://',
  REGISTRY_UNREACHABLE: 'check the address, the network and HTTPS_PROXY',
  HOST_UNRESOLVED: 'check the address and the name server',
  PROXY_REFUSED: 'check HTTPS_PROXY and NO_PROXY',
  REDIRECT_REFUSED: 'log in with the address that the page has in the browser',
};

function codeOf({ code }: AppError): string {
  return code.replace(/^REGISTRY_/, 'SITE_');
}
