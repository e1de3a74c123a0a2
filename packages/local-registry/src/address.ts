/**
 * Parses `REGISTRY_URL`, the address of the built-in registry: a TCP host and port or a Unix
 * socket.
 */
import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { socketHost, socketOf } from '@portcullis/runtime';

export interface RegistryAddress {
  /** `http://registry:5000/`, without credentials. */
  base: URL;
  /** The Unix socket on which it listens; null where it is reached by host and port of `base`. */
  socketPath: string | null;
  credentials: { username: string; password: string } | null;
}

/**
 * Host name of a registry that listens on a Unix socket, used in requests and image names. RFC 6761
 * reserves the domain, so no other host has such a name.
 */
export const SOCKET_HOST = 'registry.localhost';

/**
 * @param text `https://user:password@host:port`, or
 * `http+unix://user:password@%2Fpath%2Fregistry.sock`
 */
export function parseRegistryUrl(text: string): RegistryAddress {
  const url = new URL(text);
  const socketPath = socketOf(url);
  const { username, password } = url;
  return {
    base: new URL(socketPath === null ? url.origin : `http://${SOCKET_HOST}`),
    socketPath,
    credentials:
      username === ''
        ? null
        : { username: decodeURIComponent(username), password: decodeURIComponent(password) },
  };
}

/** For a transport of packages/oci; undefined where it is reached by host and port. */
export function registrySocket(text: string): { origin: string; path: string } | undefined {
  const { base, socketPath } = parseRegistryUrl(text);
  return socketPath === null ? undefined : { origin: base.origin, path: socketPath };
}

export interface SocketLogin {
  socketPath: string;
  credentials?: RegistryAddress['credentials'];
}

export function registrySocketUrl({ socketPath, credentials = null }: SocketLogin): string {
  const login =
    credentials && [credentials.username, credentials.password].map(encodeURIComponent).join(':');
  return `http+unix://${login ? `${login}@` : ''}${socketHost(socketPath)}`;
}

/** An HTTP agent that connects every request to the registry, whatever its host. */
export function registryAgent(
  { base, socketPath }: RegistryAddress,
  options: AgentOptions = {},
): HttpAgent {
  // An agent's options take precedence over those of a request.
  const way = socketPath === null ? {} : { socketPath };
  return new (base.protocol === 'https:' ? HttpsAgent : HttpAgent)({ ...options, ...way });
}

/** The `Authorization` header of the credentials in its URL. */
export function basicAuthorization({
  credentials,
}: Pick<RegistryAddress, 'credentials'>): string | undefined {
  if (credentials === null) return undefined;
  const pair = `${credentials.username}:${credentials.password}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
