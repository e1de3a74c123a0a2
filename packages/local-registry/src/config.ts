/**
 * Writes the configuration of the distribution registry
 * (https://distribution.github.io/distribution/about/configuration/).
 */

/** Where the registry stores blobs and repositories. */
export type RegistryStorage =
  | { type: 'filesystem'; dir: string }
  | {
      /** A bucket of any S3-compatible store. */
      type: 's3';
      bucket: string;
      region: string;
      /** URL of the store; defaults to Amazon's of the region. */
      endpoint?: string | undefined;
      /** Whether the bucket's name is in the path rather than in the host name. */
      pathStyle?: boolean | undefined;
      /** Prefix of every key, without leading or trailing slash. */
      root?: string | undefined;
      /** Defaults to those of the AWS SDK: AWS_SHARED_CREDENTIALS_FILE, the role of the machine. */
      credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
      /** Whether clients that read blobs are redirected to the store; defaults to false. */
      redirect?: boolean | undefined;
    };

export interface RegistryConfigOptions {
  storage: RegistryStorage;
  /** A port of loopback or of `host`, or a Unix socket. */
  listen: { port: number; host?: string } | { socketPath: string };
  /** Signs the state of an upload between two requests; equal for every replica of one storage. */
  secret: string;
  /** Whether manifests and blobs may be deleted; defaults to true. */
  delete?: boolean;
  /**
   * An htpasswd file with bcrypt entries; without it any client that can connect has full access.
   */
  htpasswd?: string;
  /** Requires a token of this issuer, instead of `htpasswd`. */
  tokenAuth?: { realm: string; service: string; issuer: string; rootCertBundle: string };
  tls?: { certificate: string; key: string };
  /** Receives events about pushes and deletions; the secret authenticates them. */
  events?: { url: string; secret: string };
  logLevel?: 'error' | 'warn' | 'info' | 'debug';
}

/** JSON is valid YAML and needs no quoting rules. */
export function registryConfig(options: RegistryConfigOptions): string {
  const { storage, listen, secret, htpasswd } = options;
  const config = {
    version: '0.1',
    log: { level: options.logLevel ?? 'warn', accesslog: { disabled: true }, formatter: 'text' },
    storage: {
      ...driverOf(storage),
      delete: { enabled: options.delete ?? true },
      // No cache of descriptors: it would still report collected blobs as existing, and pushes
      // would skip them.
      maintenance: { uploadpurging: purgingOf(storage) },
    },
    http: {
      ...listenerOf(listen),
      secret,
      // Locations without a host: clients are behind our proxy and must use its address.
      relativeurls: true,
      headers: { 'X-Content-Type-Options': ['nosniff'] },
      ...(options.tls && { tls: options.tls }),
    },
    // Without the list it refuses each manifest whose layers have `urls` with status 500. Neither
    // it nor we ever fetch them. A mirror stores an index before all of its platforms; of other
    // indexes the api checks that they are whole.
    validation: {
      manifests: { urls: { allow: ['^https?://'] }, indexes: { platforms: 'none' } },
    },
    ...(htpasswd !== undefined && { auth: { htpasswd: { realm: 'registry', path: htpasswd } } }),
    ...(options.events && { notifications: notifications(options.events) }),
    ...(options.tokenAuth && { auth: { token: tokenAuth(options.tokenAuth) } }),
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

function driverOf(storage: RegistryStorage) {
  if (storage.type === 'filesystem')
    return { filesystem: { rootdirectory: storage.dir, maxthreads: 100 } };
  const { bucket, region, endpoint, pathStyle, root, credentials, redirect } = storage;
  const s3 = {
    bucket,
    region,
    ...(endpoint !== undefined && {
      regionendpoint: endpoint,
      secure: endpoint.startsWith('https:'),
    }),
    ...(pathStyle !== undefined && { forcepathstyle: pathStyle }),
    ...(root !== undefined && { rootdirectory: `/${root}` }),
    ...(credentials && {
      accesskey: credentials.accessKeyId,
      secretkey: credentials.secretAccessKey,
    }),
  };
  // One more hop, but only the registry has to reach the store: docs/decisions/0023.
  return { s3, redirect: { disable: !(redirect ?? false) } };
}

/**
 * Unfinished uploads are removed after a week. Distribution 2.8 panics at that on S3: our own
 * collection does it.
 */
function purgingOf({ type }: RegistryStorage) {
  if (type === 's3') return { enabled: false };
  return { enabled: true, age: '168h', interval: '24h', dryrun: false };
}

function notifications({ url, secret }: NonNullable<RegistryConfigOptions['events']>) {
  const headers = { Authorization: [`Bearer ${secret}`] };
  const retries = { timeout: '5s', threshold: 5, backoff: '5s' };
  return {
    endpoints: [
      { name: 'portcullis', url, headers, ...retries, ignore: { actions: ['pull', 'mount'] } },
    ],
  };
}

function tokenAuth({ rootCertBundle, ...rest }: NonNullable<RegistryConfigOptions['tokenAuth']>) {
  return { ...rest, rootcertbundle: rootCertBundle };
}

function listenerOf(listen: RegistryConfigOptions['listen']) {
  if ('socketPath' in listen) return { net: 'unix', addr: listen.socketPath };
  return { addr: `${bracketed(listen.host ?? '127.0.0.1')}:${listen.port}` };
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
