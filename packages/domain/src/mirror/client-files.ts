/**
 * Files that make container clients read the images of a host from a mirror, and from nothing else:
 * a client that asks the upstream after a refusal gets what the gate refuses.
 */
import { DOCKER_HUB_HOST } from '@portcullis/oci';
import { type Mirror, writtenHost } from './mirror.ts';
import { repositoryInMirror } from './mirror-of-host.ts';

export const MIRROR_CLIENTS = ['containerd', 'podman', 'docker', 'buildkit'] as const;
export type MirrorClient = (typeof MIRROR_CLIENTS)[number];

/**
 * What the files don't cover. `name_only`: the mirrors of the client ask the upstream after a
 * refusal, so images are named as they are here. `each_build`: each build has to name the file.
 * `whole_host`: also repositories outside of the prefix are looked for here alone. `other_mirror`:
 * another mirror answers for the host.
 */
export const CLIENT_LIMITS = ['name_only', 'each_build', 'whole_host', 'other_mirror'] as const;
type ClientLimit = (typeof CLIENT_LIMITS)[number];

export interface ClientSetup {
  files: { path: string; text: string }[];
  /** What is run afterwards; the last one pulls or builds. */
  commands: string[];
  limits: ClientLimit[];
}

/** This installation, as clients reach it. */
export interface MirrorGate {
  /** Its origin. */
  url: string;
  /** Path on the client to the certificate of a private CA; null: the CA is a public one. */
  caFile: string | null;
}

type MirrorNames = Pick<Mirror, 'folder' | 'host' | 'prefix'>;

interface Asked {
  mirror: MirrorNames;
  /** What images have in their names at the upstream: host and prefix. */
  upstream: string;
  /** And here. */
  here: string;
  /** What follows: an image that exists, or words in capitals. */
  example: string;
  host: string;
  url: string;
  isPlain: boolean;
  caFile: string | null;
}

/** @param mirrors all of them */
export function clientSetup(
  client: MirrorClient,
  { mirror, mirrors }: { mirror: Mirror; mirrors: readonly Mirror[] },
  { url, caFile }: MirrorGate,
): ClientSetup {
  const { host, protocol } = new URL(url);
  const asked: Asked = {
    ...{ mirror, host, url, caFile },
    upstream: joined(writtenHost(mirror), mirror.prefix),
    here: `${host}/${mirror.folder}`,
    example: exampleIn(mirror),
    isPlain: protocol === 'http:',
  };
  const setup = SETUPS[client](asked);
  return { ...setup, limits: [...setup.limits, ...limitsOfHost(client, mirror, mirrors)] };
}

const SETUPS: Record<MirrorClient, (asked: Asked) => ClientSetup> = {
  containerd: forContainerd,
  podman: forPodman,
  docker: forDocker,
  buildkit: forBuildkit,
};

/** `server` is what it asks after the hosts below: without it the upstream. */
function forContainerd({ mirror, url, caFile, upstream, example }: Asked): ClientSetup {
  const name = writtenHost(mirror);
  const path = `/etc/containerd/certs.d/${name}/hosts.toml`;
  const ca = caFile === null ? [] : [`ca = ${quote(caFile)}`];
  return {
    files: [
      file(path, [
        '# `server` is this gate as well: containerd would ask the upstream after a refusal.',
        ...[`server = ${quote(url)}`, ...ca, ''],
        `[host.${quote(url)}]`,
        ...['capabilities = ["pull", "resolve"]', ...ca].map((line) => `  ${line}`),
      ]),
    ],
    commands: [
      `ctr images pull --hosts-dir /etc/containerd/certs.d --user USERNAME ${upstream}/${example}`,
    ],
    limits: [],
  };
}

/** `location` replaces the name. A `mirror` is followed by the upstream. */
function forPodman({ mirror, here, host, isPlain, caFile, upstream, example }: Asked): ClientSetup {
  return {
    files: [
      file(`/etc/containers/registries.conf.d/${mirror.folder}.conf`, [
        '# `location` replaces the name. After a `mirror`, the upstream would be asked.',
        '[[registry]]',
        `prefix = ${quote(upstream)}`,
        `location = ${quote(here)}`,
        ...(isPlain ? ['insecure = true'] : []),
      ]),
    ],
    commands: [
      ...trust('/etc/containers/certs.d', host, caFile),
      `podman login ${isPlain ? '--tls-verify=false ' : ''}${host}`,
      `podman pull ${upstream}/${example}`,
    ],
    limits: [],
  };
}

function forDocker({ here, host, isPlain, caFile, example }: Asked): ClientSetup {
  const plain = { 'insecure-registries': [host] };
  return {
    files: isPlain ? [jsonFile('/etc/docker/daemon.json', plain)] : [],
    commands: [
      ...trust('/etc/docker/certs.d', host, caFile),
      `docker login ${host}`,
      `docker pull ${here}/${example}`,
    ],
    limits: ['name_only'],
  };
}

/** A source policy renames images before they are asked for; `mirrors` of buildkitd don't. */
function forBuildkit({ here, host, isPlain, caFile, upstream }: Asked): ClientSetup {
  const policy = {
    rules: [
      {
        action: 'CONVERT',
        selector: { identifier: `docker-image://${upstream}/*` },
        updates: { identifier: `docker-image://${here}/$\{1}` },
      },
    ],
  };
  const daemon = [
    ...(isPlain ? ['http = true'] : []),
    ...(caFile === null ? [] : [`ca = [${quote(caFile)}]`]),
  ];
  const section = [`[registry.${quote(host)}]`, ...daemon.map((line) => `  ${line}`)];
  return {
    files: [
      jsonFile('source-policy.json', policy),
      ...(daemon.length > 0 ? [file('/etc/buildkit/buildkitd.toml', section)] : []),
    ],
    commands: [
      `docker login ${host}`,
      'EXPERIMENTAL_BUILDKIT_SOURCE_POLICY=source-policy.json docker buildx build .',
    ],
    limits: ['each_build'],
  };
}

/** containerd alone sends the host that it means, and one file is of a whole host. */
function limitsOfHost(
  client: MirrorClient,
  mirror: MirrorNames,
  mirrors: readonly Mirror[],
): ClientLimit[] {
  if (client !== 'containerd') return [];
  const path = joined(mirror.prefix, 'a');
  const answers = repositoryInMirror(mirror.host, path, mirrors);
  return [
    ...(mirror.prefix === '' ? [] : (['whole_host'] as const)),
    ...(answers === `${mirror.folder}/a` ? [] : (['other_mirror'] as const)),
  ];
}

function exampleIn({ host, prefix }: MirrorNames): string {
  if (host !== DOCKER_HUB_HOST) return 'REPOSITORY:TAG';
  if (prefix === '') return 'library/alpine:latest';
  return prefix === 'library' ? 'alpine:latest' : 'REPOSITORY:TAG';
}

function trust(folder: string, host: string, caFile: string | null): string[] {
  return caFile === null ? [] : [`install -D -m 644 ${caFile} ${folder}/${host}/ca.crt`];
}

function file(path: string, lines: readonly string[]): ClientSetup['files'][number] {
  return { path, text: `${lines.join('\n')}\n` };
}

function jsonFile(path: string, content: unknown): ClientSetup['files'][number] {
  return { path, text: `${JSON.stringify(content, null, 2)}\n` };
}

/** A basic string of TOML: its escapes are those of JSON. */
function quote(text: string): string {
  return JSON.stringify(text);
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/');
}
