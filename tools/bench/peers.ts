/** Command lines of the clients that the copy engine is compared with. */
import { acquireBinary, SKOPEO } from '@portcullis/embedded';
import { registryClients, testCacheDir, testEnv } from '@portcullis/testing';

export interface Peers {
  /** The names of those that pull into OCI layouts. */
  names: readonly ('skopeo' | 'crane' | 'regctl')[];
  /** A shell command that pulls `v1` of the repositories into OCI layouts below `to`. */
  pull(name: Peers['names'][number], to: string, repositories: readonly string[]): string;
  /** The same by skopeo, with one directory for all blobs. */
  sharedPull(to: string, repositories: readonly string[]): string;
  /** Pushes `staging/<name>` below `from` to the repository. */
  push(from: string, name: string, target: string): string;
}

/** The beginning of a shell command. */
export async function skopeoCommand(): Promise<string> {
  const { path, env } = await acquireBinary(SKOPEO, { cacheDir: testCacheDir, env: testEnv });
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  // Without this option skopeo needs /etc/containers/policy.json.
  return ['env', ...settings, path, '--insecure-policy'].join(' ');
}

/** @param host of a registry without TLS */
export async function openPeers(host: string): Promise<Peers> {
  const skopeo = `${await skopeoCommand()} copy --quiet`;
  const { crane, regctl } = await registryClients();
  const from = (repository: string) => `docker://${host}/${repository}:v1`;
  const skopeoPull = (to: string, repository: string, options = '') =>
    `${skopeo} --src-tls-verify=false ${options} ${from(repository)} oci:${to}/${repository}:v1`;
  const pulls = {
    skopeo: (to: string, repositories: readonly string[]) =>
      repositories.map((each) => skopeoPull(to, each)).join('\n'),
    // One layout for all images, in which a blob is fetched once.
    crane: (to: string, repositories: readonly string[]) =>
      `${crane} pull --insecure --format oci ${repositories.map((each) => `${host}/${each}:v1`).join(' ')} ${to}/all`,
    regctl: (to: string, repositories: readonly string[]) =>
      repositories
        .map(
          (each) =>
            `${regctl} --host reg=${host},tls=disabled image copy ${host}/${each}:v1 ocidir://${to}/all:${each}`,
        )
        .join('\n'),
  };
  return {
    names: ['skopeo', 'crane', 'regctl'],
    pull: (name, to, repositories) => pulls[name](to, repositories),
    sharedPull: (to, repositories) =>
      repositories
        .map((each) => skopeoPull(to, each, `--dest-shared-blob-dir ${to}/blobs`))
        .join('\n'),
    push: (directory, name, target) =>
      `${skopeo} --dest-tls-verify=false oci:${directory}/staging/${name}:v1 docker://${target}:v1`,
  };
}
