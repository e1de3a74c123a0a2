/**
 * Docker's engine with containerd, and their commands `docker` and `ctr`, from Debian's archive.
 * The engine has a separate storage and a mount namespace with its own /etc and /run, so that it
 * needs no right of root outside of it and leaves nothing behind. It runs no containers: it pulls.
 */
import { writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import {
  acquireBinary,
  type Binary,
  type Program,
  run,
  startService,
  untilReady,
} from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';
import { ROOTLESS, unshared } from '../namespaces.ts';
import { temporaryDir } from '../temporary.ts';

const DOCKERD: Program = {
  names: ['dockerd'],
  package: 'docker.io',
  file: 'usr/sbin/dockerd',
  probe: ['--version'],
};

export interface DockerEngine {
  /** Both return the output. @throws unavailable `TOOL_FAILED` with what they print */
  docker(...args: string[]): Promise<string>;
  ctr(...args: string[]): Promise<string>;
  /** Logs docker in to registries, by `host` → `user:password`. */
  login(credentials: Record<string, string>): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Its own /etc and /run, which it would write to. It starts itself for each layer without
 * LD_LIBRARY_PATH, so the libraries of an unpacked engine are named in that /etc.
 */
const PRIVATE = `
  mount -t tmpfs none /run && mount -t tmpfs none /etc || exit 1
  if [ -n "$LD_LIBRARY_PATH" ]; then
    echo "$LD_LIBRARY_PATH" | tr : '\\n' > /etc/ld.so.conf
    PATH="$PATH:/usr/sbin:/sbin" ldconfig -X || exit 1
  fi
  exec "$@"`;
const NO_NETWORK = [
  '--iptables=false',
  '--ip-forward=false',
  '--ip-masq=false',
  '--bridge=none',
] as const;

export async function dockerEngine(): Promise<DockerEngine> {
  const binary = await acquireBinary(DOCKERD, { cacheDir: testCacheDir, env: testEnv });
  const dir = await temporaryDir();
  const at = (name: string) => join(dir.path, name);
  const env = { ...testEnv, ...binary.env, PATH: pathOf(binary), DOCKER_CONFIG: dir.path };
  const host = `unix://${at('docker.sock')}`;
  const places = ['--data-root', at('data'), '--exec-root', at('run'), '--pidfile', at('pid')];
  const [unshare = '', ...namespace] = unshared('--mount');
  const engine = [binary.path, ...places, '--host', host, '--storage-driver=vfs', ...NO_NETWORK];
  const service = await startService({
    name: 'dockerd',
    command: unshare,
    args: [...namespace, 'sh', '-c', PRIVATE, 'sh', ...engine],
    env,
  });
  const docker = (...args: string[]) => run('docker', ['--host', host, ...args], { env });
  async function stop(): Promise<void> {
    await service.stop();
    // An ordinary account can't delete what only root of the namespace may write.
    const [command, ...rest] = ROOTLESS;
    if (command !== undefined) await run(command, [...rest, 'chmod', '-R', 'u+rwX', dir.path]);
    await dir.remove();
  }
  const answers = () =>
    docker('version').then(
      () => true,
      () => false,
    );
  await untilReady(service, answers).catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    docker,
    ctr: (...args) =>
      run('ctr', ['--address', at('run/containerd/containerd.sock'), '-n', 'test', ...args], {
        env,
      }),
    async login(credentials) {
      const auths = Object.fromEntries(
        Object.entries(credentials).map(([name, login]) => [
          name,
          { auth: Buffer.from(login).toString('base64') },
        ]),
      );
      await writeFile(at('config.json'), JSON.stringify({ auths }), { mode: 0o600 });
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** containerd, runc and the commands are in the tree of an engine that was unpacked. */
function pathOf({ path }: Binary): string {
  const root = dirname(dirname(path));
  return [dirname(path), join(root, 'bin'), testEnv.PATH].join(delimiter);
}
