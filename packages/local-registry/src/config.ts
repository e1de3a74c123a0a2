/** The configuration of the distribution registry (https://distribution.github.io/distribution/about/configuration/). */

export interface RegistryConfigOptions {
  /** Root of its storage driver. */
  storageDir: string;
  host?: string;
  port: number;
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
  const { storageDir, port, secret, htpasswd } = options;
  const config = {
    version: '0.1',
    log: { level: options.logLevel ?? 'warn', accesslog: { disabled: true }, formatter: 'text' },
    storage: {
      filesystem: { rootdirectory: storageDir, maxthreads: 100 },
      delete: { enabled: options.delete ?? true },
      // No cache of descriptors: it would go on saying of a collected blob that it is there, and pushes would leave it out.
      // An upload nobody ended is thrown away after a week; the sweeper of the product is not involved.
      maintenance: { uploadpurging: { enabled: true, age: '168h', interval: '24h', dryrun: false } },
    },
    http: {
      addr: `${bracketed(options.host ?? '127.0.0.1')}:${port}`,
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

function notifications({ url, secret }: NonNullable<RegistryConfigOptions['events']>) {
  const headers = { Authorization: [`Bearer ${secret}`] };
  const patience = { timeout: '5s', threshold: 5, backoff: '5s' };
  return {
    endpoints: [{ name: 'portcullis', url, headers, ...patience, ignore: { actions: ['pull', 'mount'] } }],
  };
}

function tokenAuth({ rootCertBundle, ...rest }: NonNullable<RegistryConfigOptions['tokenAuth']>) {
  return { ...rest, rootcertbundle: rootCertBundle };
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
