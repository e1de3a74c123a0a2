/** Translates a container of a rendered manifest into arguments of `podman run`. */
import type { Container, PodSpec } from './manifest.ts';

export interface Surroundings {
  name: string;
  hostname: string;
  /** The path of its network namespace. */
  network: string;
  /** Names of services, with their addresses. */
  hosts: readonly { name: string; ip: string }[];
  /** The directory of each volume on this machine. */
  folders: ReadonlyMap<string, string>;
  /** Values of the variables that are read from Secrets. */
  secretEnv: ReadonlyMap<string, string>;
}

export interface PodmanRun {
  args: string[];
  /** Environment of podman itself, from which it takes the values of secrets. */
  env: Record<string, string>;
}

/** No account of this machine may have more; a cluster's nodes have other limits. */
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
      // Kubernetes uses only the probes of the manifest, not the image's health check.
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

/** The manifest's schema allows nothing else: no capabilities, no privileges, a read-only root. */
function securityOf({ securityContext: { runAsUser, runAsGroup, fsGroup } }: PodSpec): string[] {
  const groups = fsGroup === undefined ? [] : ['--group-add', String(fsGroup)];
  return [
    ...['--user', `${runAsUser}:${runAsGroup}`, ...groups],
    // Without the tmpfs directories that podman would add to a read-only root.
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

/** `command` replaces the image's entrypoint and arguments. */
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
