import { expect, it } from 'vitest';
import { registryConfig } from './config.ts';
import { blobPath, repositoryDir } from './storage/storage.ts';

const BASE = {
  storage: { type: 'filesystem', dir: '/s' },
  listen: { port: 5000 },
  secret: 'x',
} as const;
const BUCKET = { type: 's3', bucket: 'images', region: 'eu-central-1' } as const;
const parse = (options: Parameters<typeof registryConfig>[0]) =>
  JSON.parse(registryConfig(options));

it('by default it listens on loopback, deletes when asked, and requires no login', () => {
  const config = parse(BASE);
  expect(config.http.addr).toBe('127.0.0.1:5000');
  expect(config.storage).toMatchObject({
    filesystem: { rootdirectory: '/s' },
    delete: { enabled: true },
  });
  expect(config).not.toHaveProperty('auth');
});

it('a layer may have `urls`, which the registry refuses with 500 unless a list allows it', () => {
  expect(parse(BASE).validation.manifests.urls).toEqual({ allow: ['^https?://'] });
});

it('an index is stored before its manifests, as mirrors need it', () => {
  expect(parse(BASE).validation.manifests.indexes).toEqual({ platforms: 'none' });
});

it.each([
  ['a password file', { htpasswd: '/h' }, { auth: { htpasswd: { path: '/h' } } }],
  [
    'TLS',
    { tls: { certificate: '/c', key: '/k' } },
    { http: { tls: { certificate: '/c', key: '/k' } } },
  ],
  [
    'a token service',
    { tokenAuth: { realm: 'https://t/', service: 's', issuer: 'i', rootCertBundle: '/b' } },
    { auth: { token: { realm: 'https://t/', service: 's', issuer: 'i', rootcertbundle: '/b' } } },
  ],
  [
    'a receiver of events',
    { events: { url: 'http://api/registry-events', secret: 's' } },
    {
      notifications: {
        endpoints: [
          { url: 'http://api/registry-events', headers: { Authorization: ['Bearer s'] } },
        ],
      },
    },
  ],
  ['no deletion', { delete: false }, { storage: { delete: { enabled: false } } }],
  ['an IPv6 address', { listen: { host: '::1', port: 5000 } }, { http: { addr: '[::1]:5000' } }],
  [
    'a Unix socket',
    { listen: { socketPath: '/s/r.sock' } },
    { http: { net: 'unix', addr: '/s/r.sock' } },
  ],
])('%s is configured', (_, options, expected) => {
  expect(parse({ ...BASE, ...options })).toMatchObject(expected);
});

it.each([
  [
    "Amazon's, by its region alone",
    BUCKET,
    { s3: { bucket: 'images', region: 'eu-central-1' }, redirect: { disable: true } },
  ],
  [
    'another store, below a prefix, that its readers are sent to',
    {
      ...BUCKET,
      endpoint: 'http://store:9000',
      pathStyle: true,
      root: 'a/b',
      credentials: { accessKeyId: 'i', secretAccessKey: 'k' },
      redirect: true,
    },
    {
      s3: {
        bucket: 'images',
        region: 'eu-central-1',
        regionendpoint: 'http://store:9000',
        secure: false,
        forcepathstyle: true,
        rootdirectory: '/a/b',
        accesskey: 'i',
        secretkey: 'k',
      },
      redirect: { disable: false },
    },
  ],
])('O16: a bucket replaces the directory as storage: %s', (_, storage, expected) => {
  const { storage: configured } = parse({ ...BASE, storage });
  expect(configured).toMatchObject({ ...expected, delete: { enabled: true } });
  expect(configured.s3).toEqual(expected.s3);
  expect(configured).not.toHaveProperty('filesystem');
  expect(configured.maintenance).toEqual({ uploadpurging: { enabled: false } });
});

it('storage paths are those of the file-system driver', () => {
  const digest = `sha256:${'ab'.repeat(32)}` as const;
  expect(blobPath('/s', digest)).toBe(
    `/s/docker/registry/v2/blobs/sha256/ab/${'ab'.repeat(32)}/data`,
  );
  expect(repositoryDir('/s', 'team/app')).toBe('/s/docker/registry/v2/repositories/team/app');
});
