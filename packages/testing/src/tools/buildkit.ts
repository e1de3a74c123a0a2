/** BuildKit, from tools/go/buildkit: it builds what needs no container to run. */
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { acquireBinary, run, startService, untilReady } from '@portcullis/embedded';
import { testCacheDir, testEnv } from '../config.ts';
import { unshared } from '../namespaces.ts';
import { temporaryDir } from '../temporary.ts';
import { RUNC } from './container-tools.ts';
import { go } from './go.ts';
import { type Build, buildOnce } from './go-program.ts';

const COMMANDS = ['buildkitd', 'buildctl'].map((name) => `github.com/moby/buildkit/cmd/${name}`);

export interface Buildkit extends AsyncDisposable {
  /**
   * Builds a Dockerfile that begins with the image, by the rules of a source policy.
   * @returns what it prints. @throws unavailable `TOOL_FAILED` with what it prints
   */
  buildFrom(image: string, policy: string | null): Promise<string>;
}

/** @returns the folder of `buildkitd` and `buildctl` */
export function buildkitPrograms(signal?: AbortSignal): Promise<string> {
  const build = ({ draft, at }: Build) =>
    go(['build', '-trimpath', '-o', `${draft}/`, ...COMMANDS], at);
  return buildOnce({ name: 'buildkit', pins: ['go.sum'], build, signal });
}

/**
 * @param config its buildkitd.toml
 * @param login the folder of the config.json with the logins
 */
export async function startBuildkit(config: string, login: string): Promise<Buildkit> {
  const programs = await buildkitPrograms();
  const runc = await acquireBinary(RUNC, { cacheDir: testCacheDir, env: testEnv });
  const dir = await temporaryDir();
  const at = (name: string) => join(dir.path, name);
  await writeFile(at('buildkitd.toml'), config);
  const address = `unix://${at('buildkitd.sock')}`;
  // It looks for runc on the path as well, and has no worker without one there.
  const PATH = [dirname(runc.path), testEnv.PATH].join(delimiter);
  const env = { ...testEnv, ...runc.env, PATH, HOME: dir.path, DOCKER_CONFIG: login };
  const worker = ['--oci-worker-binary', runc.path, '--oci-worker-snapshotter=native'];
  const places = ['--config', at('buildkitd.toml'), '--root', at('root'), '--addr', address];
  const [unshare = '', ...namespace] = unshared('--mount');
  const service = await startService({
    name: 'buildkitd',
    command: unshare,
    args: [
      ...[...namespace, join(programs, 'buildkitd'), ...places],
      ...[...worker, '--containerd-worker=false'],
    ],
    env,
  });
  const buildctl = (...args: string[]) =>
    run(join(programs, 'buildctl'), ['--addr', address, ...args], { env });
  async function stop(): Promise<void> {
    await service.stop();
    await dir.remove();
  }
  const answers = () =>
    buildctl('debug', 'workers').then(
      () => true,
      () => false,
    );
  await untilReady(service, answers).catch(async (error) => {
    await stop();
    throw error;
  });
  let count = 0;
  return {
    async buildFrom(image, policy) {
      const context = at(`context-${++count}`);
      await mkdir(context);
      await writeFile(join(context, 'Dockerfile'), `FROM ${image}\nCOPY Dockerfile /\n`);
      await writeFile(at('policy.json'), policy ?? '{}');
      return buildctl(
        ...['build', '--progress=plain', '--frontend', 'dockerfile.v0'],
        ...['--local', `context=${context}`, '--local', `dockerfile=${context}`],
        ...(policy === null ? [] : ['--source-policy-file', at('policy.json')]),
      );
    },
    [Symbol.asyncDispose]: stop,
  };
}
