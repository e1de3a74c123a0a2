import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isHealthy,
  noteProgram,
  type RegistryConfigOptions,
  registryConfig,
} from '@portcullis/local-registry';
import type { Binary } from './binary.ts';
import type { RunningServer } from './redis.ts';
import { type ServiceHooks, startService, untilReady } from './service.ts';

export interface RegistryServerOptions extends Omit<RegistryConfigOptions, 'storageDir'> {
  binary: Binary;
  /** Holds `config.yml` and, unless told otherwise, the storage. */
  dir: string;
  storageDir?: string;
  /** The certificate to expect when `tls` is set, PEM. */
  ca?: string | undefined;
  env: NodeJS.ProcessEnv;
  hooks?: ServiceHooks | undefined;
}

export function registryStorageDir(dir: string): string {
  return join(dir, 'storage');
}

export async function startRegistryServer(options: RegistryServerOptions): Promise<RunningServer> {
  const { binary, dir, port } = options;
  const storageDir = options.storageDir ?? registryStorageDir(dir);
  await mkdir(storageDir, { recursive: true, mode: 0o700 });
  const config = join(dir, 'config.yml');
  await writeFile(config, registryConfig({ ...options, storageDir }), { mode: 0o600 });
  await noteProgram(storageDir, binary);
  const url = `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  const service = await startService({
    name: 'registry',
    command: binary.path,
    args: ['serve', config],
    // Not the caller's REGISTRY_* variables: distribution would read them over the file.
    env: { PATH: options.env.PATH, OTEL_TRACES_EXPORTER: 'none', ...binary.env },
    ...options.hooks,
  });
  await untilReady(service, () => isHealthy(url, { ca: options.ca })).catch(async (error) => {
    await service.stop();
    throw error;
  });
  return { service, url };
}
