/** Command lines of the clients that the copy engine is compared with. */
import { acquireBinary, SKOPEO } from '@portcullis/embedded';
import { registryClients, testCacheDir, testEnv } from '@portcullis/testing';
import { type End, trusting } from './ends.ts';

export const PEERS = ['crane', 'regctl', 'skopeo'] as const;
export type PeerName = (typeof PEERS)[number];

export interface Peer {
  /** Pulls `v1` of the repositories into OCI layouts below `to`; fetches a blob once. */
  pull(from: End, to: string, repositories: readonly string[]): string[];
  /** Pushes `v1` of a layout to `HOST/repository:v1`. */
  push(layout: string, to: End, repository: string): string[];
}

/** The beginning of a shell command. */
export async function skopeoCommand(): Promise<string> {
  const { path, env } = await acquireBinary(SKOPEO, { cacheDir: testCacheDir, env: testEnv });
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  // Without this option skopeo needs /etc/containers/policy.json.
  return `env ${settings.join(' ')} ${path} --insecure-policy`;
}

export async function openPeers(): Promise<Record<PeerName, Peer>> {
  const { crane, regctl } = await registryClients();
  const skopeo = `${await skopeoCommand()} copy --quiet`;
  return { crane: craneAt(crane), regctl: regctlAt(regctl), skopeo: skopeoAt(skopeo) };
}

function craneAt(crane: string): Peer {
  const insecure = ({ caFile }: End) => (caFile === undefined ? '--insecure' : '');
  return {
    pull: (from, to, repositories) =>
      shell(from, [
        `${crane} pull ${insecure(from)} --format oci ${repositories.map((each) => `${from.host}/${each}:v1`).join(' ')} ${to}/all`,
      ]),
    push: (layout, to, repository) =>
      shell(to, [`${crane} push ${insecure(to)} ${layout} ${to.host}/${repository}:v1`]),
  };
}

function regctlAt(regctl: string): Peer {
  const copy = ({ host, caFile }: End) =>
    `${regctl} --host reg=${host},tls=${caFile === undefined ? 'disabled' : 'enabled'} image copy`;
  return {
    pull: (from, to, repositories) =>
      shell(
        from,
        repositories.map(
          (each) => `${copy(from)} ${from.host}/${each}:v1 ocidir://${to}/all:${each}`,
        ),
      ),
    push: (layout, to, repository) =>
      shell(to, [`${copy(to)} ocidir://${layout}:v1 ${to.host}/${repository}:v1`]),
  };
}

/** Pulls with one directory for all blobs, which is its fastest way. */
function skopeoAt(skopeo: string): Peer {
  const verify = ({ caFile }: End) => caFile !== undefined;
  return {
    pull: (from, to, repositories) =>
      shell(
        from,
        repositories.map(
          (each) =>
            `${skopeo} --src-tls-verify=${verify(from)} --dest-shared-blob-dir ${to}/blobs docker://${from.host}/${each}:v1 oci:${to}/${each}:v1`,
        ),
      ),
    push: (layout, to, repository) =>
      shell(to, [
        `${skopeo} --dest-tls-verify=${verify(to)} oci:${layout}:v1 docker://${to.host}/${repository}:v1`,
      ]),
  };
}

/** Quiet: crane and regctl report each blob. */
function shell(end: End, lines: readonly string[]): string[] {
  return trusting(end, ['sh', '-ec', `exec >/dev/null 2>&1\n${lines.join('\n')}`]);
}
