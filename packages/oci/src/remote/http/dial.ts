/** Opens connections: guarded and pinned DNS lookup, proxy, TLS. No other module connects. */
import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net';
import tls, { connect as connectTls, createSecureContext, type SecureContext } from 'node:tls';
import { unlessAborted } from '../../copy/concurrency.ts';
import { isOciError, type OciError, unavailable } from '../../oci-error.ts';
import type { GuardedLookup } from './lookup.ts';
import { hostOf, type ProxyEnv, portOf, proxyAuthorization, proxyFor } from './proxy.ts';
import { endOfHead, MAX_HEAD_BYTES, parseResponseHead } from './response-head.ts';

/** TLS verification options. */
export interface TlsTrust {
  verify: boolean;
  /** CA certificates in PEM format, in addition to the system ones. */
  ca?: string | undefined;
}

export interface DialerOptions {
  lookup: GuardedLookup;
  proxy?: (() => ProxyEnv | undefined) | undefined;
  timeoutMs: number;
  /** Unix socket that serves one origin. */
  socket?: { origin: string; path: string } | undefined;
}

interface DialTarget {
  url: URL;
  trust: TlsTrust;
  onread?: OnReadOpts;
  signal?: AbortSignal | undefined;
}

interface Dialled {
  socket: Socket;
  /** False for a socket inside a proxy tunnel, which is read as a stream. */
  usesOnread: boolean;
}

export interface Dialer {
  dial(target: DialTarget): Promise<Dialled>;
  /**
   * The proxy for plain HTTP requests, which need an absolute URL in the request line; TLS uses a
   * tunnel.
   */
  forwarder(url: URL): URL | undefined;
  /** Current route to the origin; idle connections of another route are not reused. */
  route(url: URL): string;
}

export function createDialer(options: DialerOptions): Dialer {
  const proxyOf = (url: URL) => proxyFor(url, options.proxy?.());
  const forwarder = (url: URL) => (url.protocol === 'http:' ? proxyOf(url) : undefined);
  const open = async (target: DialTarget, signal: AbortSignal): Promise<Dialled> => {
    if (target.url.origin === options.socket?.origin) {
      return {
        socket: await openSocket(options.socket.path, target.onread, signal),
        usesOnread: true,
      };
    }
    const proxy = proxyOf(target.url);
    if (!proxy)
      return { socket: await openDirect(target, options.lookup, signal), usesOnread: true };
    await unlessAborted(options.lookup.check(hostOf(target.url), portOf(target.url)), signal);
    if (target.url.protocol === 'http:') {
      return { socket: await openProxy(proxy, target.onread, signal), usesOnread: true };
    }
    const tunnel = await openTunnel(proxy, target.url, signal);
    const socket = connectTls({ ...tlsOptions(target.url, target.trust), socket: tunnel });
    return { socket: await connected(socket, 'secureConnect', signal), usesOnread: false };
  };
  return {
    forwarder,
    route: (url) => proxyOf(url)?.href ?? 'direct',
    async dial(target) {
      const timeout = AbortSignal.timeout(options.timeoutMs);
      const signal = target.signal ? AbortSignal.any([target.signal, timeout]) : timeout;
      try {
        return await open(target, signal);
      } catch (error) {
        target.signal?.throwIfAborted();
        throw isOciError(error) ? error : connectFault(error, target.url);
      }
    },
  };
}

async function openDirect(
  target: DialTarget,
  lookup: GuardedLookup,
  signal: AbortSignal,
): Promise<Socket> {
  const { url, trust, onread } = target;
  const addresses = await unlessAborted(lookup.resolve(hostOf(url), portOf(url)), signal);
  const options = {
    host: hostOf(url),
    port: portOf(url),
    // Connects to the checked addresses only, even if the name resolves to others by now (DNS
    // rebinding).
    lookup: pinned(addresses),
    autoSelectFamily: true,
    ...(onread && { onread }),
  };
  return url.protocol === 'https:'
    ? connected(connectTls({ ...options, ...tlsOptions(url, trust) }), 'secureConnect', signal)
    : connected(connectTcp(options), 'connect', signal);
}

type Addresses = Awaited<ReturnType<GuardedLookup['resolve']>>;

function pinned(addresses: Addresses) {
  return (
    _hostname: string,
    options: { all?: boolean | undefined },
    callback: (
      error: NodeJS.ErrnoException | null,
      address: string | Addresses,
      family?: number,
    ) => void,
  ) => {
    const [first] = addresses;
    if (options.all || !first) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}

function openSocket(
  path: string,
  onread: OnReadOpts | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  return connected(connectTcp({ path, ...(onread && { onread }) }), 'connect', signal);
}

/** The proxy is configured by the operator and is not checked by the guard. */
function openProxy(
  proxy: URL,
  onread: OnReadOpts | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  const options = { host: hostOf(proxy), port: portOf(proxy), ...(onread && { onread }) };
  return proxy.protocol === 'https:'
    ? connected(connectTls({ ...options, servername: serverName(proxy) }), 'secureConnect', signal)
    : connected(connectTcp(options), 'connect', signal);
}

async function openTunnel(proxy: URL, url: URL, signal: AbortSignal): Promise<Socket> {
  const socket = await openProxy(proxy, undefined, signal);
  const authority = `${url.hostname}:${portOf(url)}`;
  const authorization = proxyAuthorization(proxy);
  const credentials = authorization ? `Proxy-Authorization: ${authorization}\r\n` : '';
  socket.write(
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`,
    'latin1',
  );
  try {
    const { status } = await unlessAborted(readTunnelHead(socket), signal);
    if (status === 200) return socket;
    throw unavailable(
      'PROXY_REFUSED',
      `the proxy refused the connection to ${url.host} (${status})`,
      {
        detail: { host: url.host, status },
      },
    );
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * A TLS server never sends first, so bytes after the head are an error of the proxy and are
 * dropped.
 */
function readTunnelHead(socket: Socket) {
  const { promise, resolve, reject } =
    Promise.withResolvers<ReturnType<typeof parseResponseHead>>();
  let head = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = endOfHead(head);
    if (end < 0 && head.length < MAX_HEAD_BYTES) return;
    socket.off('data', onData).pause();
    try {
      resolve(parseResponseHead(head.toString('latin1', 0, Math.max(end, 0)), 'CONNECT'));
    } catch (error) {
      reject(error);
    }
  };
  socket.on('data', onData).once('error', reject);
  socket.once('close', () => reject(new Error('the proxy closed the connection')));
  return promise;
}

function tlsOptions(url: URL, trust: TlsTrust) {
  return {
    servername: serverName(url),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: trust.verify,
    ...(trust.ca && { secureContext: contextFor(trust.ca) }),
  };
}

const contexts = new Map<string, SecureContext>();
const MAX_CONTEXTS = 100;

/**
 * Cached per CA, because loading the system certificates takes milliseconds. `getCACertificates` is
 * no import by name: with an older Node `pcs` has to start to say which one it needs.
 */
function contextFor(ca: string): SecureContext {
  const known = contexts.get(ca);
  if (known) return known;
  const context = createSecureContext({ ca: [...tls.getCACertificates('default'), ca] });
  if (contexts.size >= MAX_CONTEXTS) contexts.clear();
  contexts.set(ca, context);
  return context;
}

/** SNI carries names only (RFC 6066 § 3). */
function serverName(url: URL): string {
  const host = hostOf(url);
  return isIP(host) === 0 ? host : '';
}

function connected(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const onAbort = () => socket.destroy(signal.reason);
  const done = () => {
    signal.removeEventListener('abort', onAbort);
    socket.off('error', reject);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  socket.once('error', reject);
  // The next owner attaches its listener later; an error without a listener would end the process.
  socket.on('error', () => undefined);
  // A socket that closes early may emit no error.
  socket.once('close', () =>
    reject(new Error('the connection was closed while it was being set up')),
  );
  socket.once(event, () => {
    done();
    socket.setNoDelay(true);
    resolve(socket);
  });
  promise.catch(done);
  return promise;
}

function connectFault(cause: unknown, url: URL): OciError {
  const detail = { host: url.host };
  if (isTlsFault(cause)) {
    const message = `the TLS connection to ${url.host} failed: ${tlsReason(cause)}`;
    return unavailable('REGISTRY_TLS_FAILED', message, { cause, detail });
  }
  return unavailable('REGISTRY_UNREACHABLE', `${url.host} can't be reached`, { cause, detail });
}

const CERTIFICATE_FAULT = /CERT|SELF_SIGNED|UNABLE_TO|ISSUER|ERR_TLS|ERR_SSL|^EPROTO$/;

function isTlsFault(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && CERTIFICATE_FAULT.test(String(error.code));
}

function tlsReason({ code = '' }: NodeJS.ErrnoException): string {
  if (/EXPIRED/.test(code)) return 'its certificate has expired';
  if (/ALTNAME/.test(code)) return 'its certificate is for another name';
  if (/SSL|EPROTO/.test(code)) return 'it does not speak TLS that we understand';
  return 'its certificate is not signed by an authority we trust';
}
