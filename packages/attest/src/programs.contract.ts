/** The programs whose answers ours are compared with: cosign 2 and 3, and notation. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createTransport, openRepository, type Repository } from '@portcullis/oci/remote';
import {
  goProgram,
  startRegistryProgram,
  type TemporaryDir,
  type TestServer,
  temporaryDir,
  testEnv,
} from '@portcullis/testing';

type ProgramName = 'cosign-2' | 'cosign-3' | 'kyverno' | 'notation' | 'policy-tester';

interface ProgramAnswer {
  readonly isAccepted: boolean;
  readonly output: string;
}

export interface Programs extends AsyncDisposable {
  readonly dir: string;
  readonly host: string;
  repository(name: string): Repository;
  /** Writes a file of this content, and returns its path. */
  write(name: string, content: string): Promise<string>;
  read(name: string): Promise<string>;
  run(program: ProgramName, args: readonly string[]): Promise<ProgramAnswer>;
}

/** With a registry that has the API for referrers. */
export async function startPrograms(): Promise<Programs> {
  const registry: TestServer = await startRegistryProgram({
    module: 'olareg',
    args: ({ dir, port }) => [
      ...['serve', '--addr', '127.0.0.1', '--port', String(port), '--dir', dir.path],
    ],
  });
  const dir: TemporaryDir = await temporaryDir();
  const { host } = new URL(registry.url);
  const transport = createTransport();
  const env = {
    PATH: testEnv.PATH,
    HOME: dir.path,
    COSIGN_PASSWORD: '',
    COSIGN_YES: 'true',
    COSIGN_EXPERIMENTAL: '1',
  };
  return {
    dir: dir.path,
    host,
    repository: (repository) => openRepository({ host, repository, transport }),
    async write(name, content) {
      const path = join(dir.path, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    read: (name) => readFile(join(dir.path, name), 'utf8'),
    async run(name, args) {
      const program = await goProgram(name);
      return new Promise((resolve) => {
        execFile(program, args, { env, cwd: dir.path }, (error, stdout, stderr) => {
          resolve({ isAccepted: error === null, output: `${stdout}${stderr}` });
        });
      });
    },
    async [Symbol.asyncDispose]() {
      await registry.stop();
      await dir[Symbol.asyncDispose]();
    },
  };
}
