/** Runs the built-in registry for `npm start` and for tests. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isHealthy,
  noteProgram,
  type RegistryConfigOptions,
  type RegistryStorage,
  registryConfig,
  registrySocketUrl,
} from '@portcullis/local-registry';
import { htpasswdLine } from '@portcullis/passwords';
import type { Binary } from '../programs/binary.ts';
import { listensOn } from './port.ts';
import type { RunningServer } from './redis.ts';
import { type ServiceHooks, startService, untilReady } from './service.ts';

export interface RegistryServerOptions extends Omit<RegistryConfigOptions, 'storage'> {
  binary: Binary;
  /** Contains `config.yml` and, by default, the storage. */
  dir: string;
  storage?: RegistryStorage | undefined;
  /** Password of the only account; instead of `htpasswd`. */
  password?: string | undefined;
  /** The certificate to expect when `tls` is set, PEM. */
  ca?: string | undefined;
  env: NodeJS.ProcessEnv;
  hooks?: ServiceHooks | undefined;
}

const USER = 'portcullis';

export function registryStorageDir(dir: string): string {
  return join(dir, 'storage');
}

type RegistryListening = Pick<RegistryServerOptions, 'listen' | 'password'>;

/** Includes the credentials where it needs any. */
export function registryUrl({ listen, password }: RegistryListening): string {
  const credentials = password === undefined ? null : { username: USER, password };
  if ('socketPath' in listen) return registrySocketUrl({ ...listen, credentials });
  const login = credentials === null ? '' : `${USER}:${encodeURIComponent(credentials.password)}@`;
  return `http://${login}127.0.0.1:${listen.port}`;
}

export async function startRegistryServer(options: RegistryServerOptions): Promise<RunningServer> {
  const { binary, dir, listen, password } = options;
  const storage = options.storage ?? { type: 'filesystem', dir: registryStorageDir(dir) };
  await prepareStorage(storage, binary);
  const login = password === undefined ? {} : { htpasswd: await writeHtpasswd(dir, password) };
  const config = join(dir, 'config.yml');
  await writePrivately(config, registryConfig({ ...options, ...login, storage }));
  const plain = registryUrl({ listen, password });
  const url = options.tls ? plain.replace(/^http:/, 'https:') : plain;
  const service = await startService({
    name: 'registry',
    command: binary.path,
    args: ['serve', config],
    // Without the caller's REGISTRY_* variables: distribution would apply them over the file.
    env: { PATH: options.env.PATH, OTEL_TRACES_EXPORTER: 'none', ...binary.env },
    ...options.hooks,
  });
  const isOurs = async () => !('port' in listen) || listensOn(service.pid, listen.port);
  const isReady = async () => (await isHealthy(url, { ca: options.ca })) && (await isOurs());
  await untilReady(service, isReady).catch(async (error) => {
    await service.stop();
    throw error;
  });
  return { service, url };
}

async function prepareStorage(storage: RegistryStorage, program: Binary): Promise<void> {
  if (storage.type !== 'filesystem') return;
  await mkdir(storage.dir, { recursive: true, mode: 0o700 });
  await noteProgram(storage.dir, program);
}

async function writeHtpasswd(dir: string, password: string): Promise<string> {
  const file = join(dir, 'htpasswd');
  await writePrivately(file, await htpasswdLine(USER, password));
  return file;
}

/** Also closes a file that is readable to others, such as a restored one. */
async function writePrivately(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await chmod(file, 0o600);
}
