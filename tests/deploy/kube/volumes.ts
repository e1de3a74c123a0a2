/** The volumes of a pod as directories of this machine: their content, owner and modes. */
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  decoded,
  type KubeObject,
  type PodSpec,
  type ProjectedSecret,
  type Volume,
} from './manifest.ts';

export interface VolumeSources {
  /** A directory for this pod alone. */
  dir: string;
  /** Writes a Secret or ConfigMap. @throws where it does not exist */
  object(kind: string, name: string): KubeObject;
  /** The directory of a claim. @throws where it does not exist */
  claim(name: string): string;
}

const ROOT = 0;
/** rwx for owner and group, with setgid. */
const OF_GROUP = 0o2070;

export async function createVolumes(
  { volumes = [], containers, securityContext: { fsGroup = ROOT } }: PodSpec,
  sources: VolumeSources,
): Promise<Map<string, string>> {
  const folders = new Map<string, string>();
  for (const volume of volumes)
    folders.set(volume.name, await createVolume(volume, fsGroup, sources));
  for (const { name, subPath } of containers.flatMap(({ volumeMounts = [] }) => volumeMounts)) {
    const folder = folders.get(name);
    if (folder !== undefined && subPath !== undefined)
      await writable(path.join(folder, subPath), fsGroup);
  }
  return folders;
}

async function createVolume(
  volume: Volume,
  group: number,
  sources: VolumeSources,
): Promise<string> {
  const { name, persistentVolumeClaim, projected, secret: plain, configMap } = volume;
  const own = path.join(sources.dir, name);
  if (persistentVolumeClaim) return writable(sources.claim(persistentVolumeClaim.claimName), group);
  const secrets = plain ? [{ name: plain.secretName, items: plain.items }] : projectedOf(volume);
  if (secrets.length > 0) {
    const found = secrets.flatMap(({ name: secret, items }) => {
      const values = decoded(sources.object('Secret', secret));
      return items.map(({ key, path: file }) => [file, wanted(values, key, secret)] as const);
    });
    return files(own, found, { mode: (plain ?? projected)?.defaultMode ?? 0, group });
  }
  if (configMap) {
    const { data = {} } = sources.object('ConfigMap', configMap.name);
    return files(own, Object.entries(data), { mode: 0o644, group });
  }
  return writable(own, group);
}

function projectedOf({ projected }: Volume): ProjectedSecret[] {
  return projected?.sources.map(({ secret }) => secret) ?? [];
}

function wanted(values: Record<string, string>, key: string, secret: string): string {
  const value = values[key];
  if (value === undefined) throw new Error(`the Secret ${secret} has no key ${key}`);
  return value;
}

/**
 * As set up by the kubelet: owned by root and writable by the pod's group, which new files belong
 * to.
 */
async function writable(folder: string, group: number): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { gid, mode } = await stat(folder);
  if (gid === group && (mode & OF_GROUP) === OF_GROUP) return folder;
  await chown(folder, ROOT, group);
  await chmod(folder, 0o2775);
  return folder;
}

async function files(
  folder: string,
  entries: readonly (readonly [string, string])[],
  { mode, group }: { mode: number; group: number },
): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of entries) {
    const file = path.join(folder, name);
    await writeFile(file, text);
    await chown(file, ROOT, group);
    await chmod(file, mode);
  }
  await chmod(folder, 0o755);
  return folder;
}
