/** Runs registries for tests: distribution 3 and 2.8, open or with logins, with or without TLS. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  acquireBinary,
  acquireRegistry,
  type Program,
  registryStorageDir,
  startRegistryServer,
} from '@portcullis/embedded';
import type { RegistryStorage } from '@portcullis/local-registry';
import { testCacheDir, testEnv } from '../config.ts';
import { makeCertificate } from '../content/certificate.ts';
import { startInSlot, type TestServer } from './server.ts';
import { startTokenServer } from './token-server.ts';

const OLD: Program = {
  names: [],
  package: 'docker-registry',
  file: 'usr/bin/docker-registry',
  probe: ['--version'],
};

export interface TestRegistryOptions {
  /** `token`: Bearer tokens of a separate token service, like Docker Hub and Harbor. */
  auth?: 'none' | 'basic' | 'token';
  /** https with a generated certificate for `localhost` and 127.0.0.1; trust `ca`. */
  tls?: boolean;
  /** Whether manifests and blobs may be deleted; defaults to true. */
  delete?: boolean;
  events?: { url: string; secret: string };
  /** Listens on a Unix socket, as with `npm start`, instead of a port. */
  socket?: boolean;
  /** An existing directory, which is not removed. */
  storageDir?: string;
  /** Used instead of a directory. */
  storage?: RegistryStorage;
  /** Distribution 2.8, which installations may have as their external registry. */
  isOld?: boolean;
}

export interface TestRegistry extends TestServer {
  /** Where its storage is a directory. */
  storageDir: string;
  /** `url` with the credentials, as in `REGISTRY_URL`. */
  loginUrl: string;
  /** With `auth: 'basic'` or `'token'`. */
  credentials: { username: string; password: string } | undefined;
  /** With `tls`: the certificate to trust, PEM. */
  ca: string | undefined;
}

const CREDENTIALS = { username: 'tester', password: 'let-me-in' };
/** `CREDENTIALS`, bcrypt at its lowest cost. */
const HTPASSWD = 'tester:$2b$04$NxpUIYTzRS8G.xXJ/RUEVelGXp8yl6nJyRjeSPHnU7nvr0JcvoZk2\n';

/** A separate, empty distribution registry. */
export async function startRegistry(options: TestRegistryOptions = {}): Promise<TestRegistry> {
  const places = { cacheDir: testCacheDir, env: testEnv, pinnedOnly: true };
  const binary = await (options.isOld ? acquireBinary(OLD, places) : acquireRegistry(places));
  const certificate = options.tls ? makeCertificate() : undefined;
  const tokens =
    options.auth === 'token' ? await startTokenServer({ ...CREDENTIALS, certificate }) : undefined;
  const server = await startInSlot(async ({ dir, port }) =>
    startRegistryServer({
      binary,
      dir: dir.path,
      listen: options.socket ? { socketPath: join(dir.path, 'registry.sock') } : { port },
      secret: 'only for tests',
      env: testEnv,
      ca: certificate?.certificate,
      ...(options.delete !== undefined && { delete: options.delete }),
      ...(options.events && { events: options.events }),
      ...(options.storageDir && { storage: { type: 'filesystem', dir: options.storageDir } }),
      ...(options.storage && { storage: options.storage }),
      ...(options.auth === 'basic' && { htpasswd: await write(dir.path, 'htpasswd', HTPASSWD) }),
      ...(tokens && {
        tokenAuth: {
          ...tokens.auth,
          rootCertBundle: await write(dir.path, 'issuer.crt', tokens.certificate),
        },
      }),
      ...(certificate && {
        tls: {
          certificate: await write(dir.path, 'tls.crt', certificate.certificate),
          key: await write(dir.path, 'tls.key', certificate.key),
        },
      }),
    }),
  ).catch(async (error) => {
    await tokens?.stop();
    throw error;
  });
  const stop = async () => {
    await server.stop();
    await tokens?.stop();
  };
  const credentials =
    options.auth === 'basic' || options.auth === 'token' ? CREDENTIALS : undefined;
  return {
    ...server,
    stop,
    loginUrl: withLogin(server.url, credentials),
    [Symbol.asyncDispose]: stop,
    storageDir: options.storageDir ?? registryStorageDir(server.dir),
    credentials,
    ca: certificate?.certificate,
  };
}

function withLogin(url: string, credentials: TestRegistry['credentials']): string {
  return Object.assign(new URL(url), credentials).href;
}

async function write(dir: string, name: string, text: string): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}
