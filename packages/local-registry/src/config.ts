/** The configuration of the distribution registry (https://distribution.github.io/distribution/about/configuration/). */

/** Where the registry keeps blobs and repositories. */
export type RegistryStorage =
  | { type: 'filesystem'; dir: string }
  | {
      /** A bucket of any S3-compatible store. */
      type: 's3';
      bucket: string;
      region: string;
      /** URL of the store; without it, Amazon's of the region. */
      endpoint?: string | undefined;
      /** The bucket's name in the path rather than in the host name. */
      pathStyle?: boolean | undefined;
      /** Prefix of every key, without slashes at its ends. */
      root?: string | undefined;
      /** Without them, the AWS SDK's own: AWS_SHARED_CREDENTIALS_FILE, the role of the machine. */
      credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
      /** Whether readers of blobs are sent to the store; false unless given. */
      redirect?: boolean | undefined;
    };

export interface RegistryConfigOptions {
  storage: RegistryStorage;
  /** Where it listens: a port of loopback or of `host`, or a Unix socket. */
  listen: { port: number; host?: string } | { socketPath: string };
  /** Signs the state of an upload between two requests; the same for every replica over one storage. */
  secret: string;
  /** Whether manifests and blobs may be deleted; on unless false. */
  delete?: boolean;
  /** An htpasswd file with bcrypt entries; without it everyone who reaches the port may do everything. */
  htpasswd?: string;
  /** Whoever asks needs a token of this issuer; in place of `htpasswd`. */
  tokenAuth?: { realm: string; service: string; issuer: string; rootCertBundle: string };
  tls?: { certificate: string; key: string };
  /** Who hears of pushes and deletions, and the secret that says it was us. */
  events?: { url: string; secret: string };
  logLevel?: 'error' | 'warn' | 'info' | 'debug';
}

/** JSON, which is YAML: no quoting rules of our own. */
export function registryConfig(options: RegistryConfigOptions): string {
  const { storage, listen, secret, htpasswd } = options;
  const config = {
    version: '0.1',
    log: { level: options.logLevel ?? 'warn', accesslog: { disabled: true }, formatter: 'text' },
    storage: {
      ...driverOf(storage),
      delete: { enabled: options.delete ?? true },
      // No cache of descriptors: it would go on saying of a collected blob that it is there, and pushes would leave it out.
      maintenance: { uploadpurging: purgingOf(storage) },
    },
    http: {
      ...listenerOf(listen),
      secret,
      // Locations without a host: the client stands behind our proxy and must stay there.
      relativeurls: true,
      headers: { 'X-Content-Type-Options': ['nosniff'] },
      ...(options.tls && { tls: options.tls }),
    },
    // Without a list it refuses each manifest whose layers have `urls` with 500. Neither it nor we ever fetch from them.
    validation: { manifests: { urls: { allow: ['^https?://'] } } },
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
  // One hop more, but only the registry has to reach the store: docs/decisions/0023.
  return { s3, redirect: { disable: !(redirect ?? false) } };
}

/** An upload nobody ended is thrown away after a week. Over a bucket 2.8 panics at that: our own collection does it. */
function purgingOf({ type }: RegistryStorage) {
  if (type === 's3') return { enabled: false };
  return { enabled: true, age: '168h', interval: '24h', dryrun: false };
}

function notifications({ url, secret }: NonNullable<RegistryConfigOptions['events']>) {
  const headers = { Authorization: [`Bearer ${secret}`] };
  const patience = { timeout: '5s', threshold: 5, backoff: '5s' };
  return {
    endpoints: [
      { name: 'portcullis', url, headers, ...patience, ignore: { actions: ['pull', 'mount'] } },
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
