/** What `podman run` is told so that a container runs as its rendered manifest says. */
import type { Container, PodSpec } from './manifest.ts';

export interface Surroundings {
  name: string;
  hostname: string;
  /** The file of its network namespace. */
  network: string;
  /** Names of services. */
  hosts: readonly { name: string; ip: string }[];
  /** The folder of this machine behind each volume. */
  folders: ReadonlyMap<string, string>;
  /** Of the variables that are read out of Secrets. */
  secretEnv: ReadonlyMap<string, string>;
}

export interface PodmanRun {
  args: string[];
  /** Environment of podman itself, from which it takes the values of secrets. */
  env: Record<string, string>;
}

/** This machine lets no account have more; a cluster's nodes have their own limits. */
const LIMITS = ['--ulimit', 'nofile=20000:20000', '--ulimit', 'nproc=1000:1000'];

export function podmanRun(spec: PodSpec, container: Container, around: Surroundings): PodmanRun {
  const secret = [...around.secretEnv].filter(([name]) => fromSecret(container, name));
  return {
    args: [
      ...[
        'run',
        '--detach',
        '--name',
        around.name,
        '--hostname',
        around.hostname,
        '--pull',
        'never',
      ],
      // Kubernetes asks by the probes of the manifest alone.
      '--no-healthcheck',
      ...['--network', `ns:${around.network}`, ...LIMITS],
      ...around.hosts.flatMap(({ name, ip }) => ['--add-host', `${name}:${ip}`]),
      ...securityOf(spec),
      ...memoryOf(container),
      ...(container.volumeMounts ?? []).flatMap((mount) => [
        '--volume',
        volumeOf(mount, around.folders),
      ]),
      ...(container.env ?? []).flatMap(({ name, value }) => [
        '--env',
        value === undefined ? name : `${name}=${plain(value)}`,
      ]),
      ...entrypointOf(container),
      container.image,
      ...(container.args ?? []),
    ],
    env: Object.fromEntries(secret),
  };
}

/**
 * The schema of the manifest admits nothing else here: no capability, no privilege, a root that is
 * read only.
 */
function securityOf({ securityContext: { runAsUser, runAsGroup, fsGroup } }: PodSpec): string[] {
  const groups = fsGroup === undefined ? [] : ['--group-add', String(fsGroup)];
  return [
    ...['--user', `${runAsUser}:${runAsGroup}`, ...groups],
    // Without the tmpfs folders that podman would add to a root that is read only.
    ...['--read-only', '--read-only-tmpfs=false'],
    ...['--cap-drop', 'all', '--security-opt', 'no-new-privileges'],
  ];
}

const UNITS: Record<string, number> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

function memoryOf({ resources }: Container): string[] {
  const limit = resources?.limits?.memory;
  if (limit === undefined) return [];
  const [, amount, unit = ''] = /^(\d+)([KMG]i)$/.exec(limit) ?? [];
  const factor = UNITS[unit];
  if (amount === undefined || factor === undefined) throw new Error(`the memory limit ${limit}`);
  const bytes = String(Number(amount) * factor);
  return ['--memory', bytes, '--memory-swap', bytes];
}

function volumeOf(
  {
    name,
    mountPath,
    subPath = '',
    readOnly = false,
  }: NonNullable<Container['volumeMounts']>[number],
  folders: ReadonlyMap<string, string>,
): string {
  const folder = folders.get(name);
  if (folder === undefined)
    throw new Error(`a mount names the volume ${name}, which the pod does not have`);
  const from = subPath === '' ? folder : `${folder}/${subPath}`;
  return `${from}:${mountPath}:${readOnly ? 'ro' : 'rw'}`;
}

/** `command` replaces the entrypoint of the image, and its arguments with it. */
function entrypointOf({ command }: Container): string[] {
  return command === undefined ? [] : ['--entrypoint', JSON.stringify(command)];
}

function plain(value: string): string {
  if (value.includes('$(')) throw new Error(`the runner expands no variables: ${value}`);
  return value;
}

function fromSecret({ env = [] }: Container, variable: string): boolean {
  return env.some(({ name, valueFrom }) => name === variable && valueFrom !== undefined);
}
