/**
 * Partial downloads, kept so that the next attempt resumes them. Each writer has a separate file,
 * `<alg>-<hex>.<pid>.<space>.<token>`. Another writer's file is taken over only if that process is
 * dead, and copied otherwise: a suspended writer that continues must not modify a blob that has
 * been verified meanwhile.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, lstat, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { algorithmOf, type Digest, encodedOf } from '../model/digest.ts';
import { isDead, ownIdentity } from './process-identity.ts';
import { unlessMissing } from './storage-error.ts';

/** Stands for the process id once the writer has closed the file. */
const RELEASED = '0';

/** Common prefix of all files of one blob. */
export function stemOf(digest: Digest): string {
  return `${algorithmOf(digest)}-${encodedOf(digest)}`;
}

/** Returns the path to write to, with the bytes of an earlier attempt. Requires the blob's lock. */
export async function adoptPartial(dir: string, digest: Digest): Promise<string> {
  const own = join(dir, nameOf(digest, String(ownIdentity().pid)));
  const [largest, ...rest] = await leftovers(dir, digest);
  if (largest) await takeOver(dir, largest.name, own);
  // A writer that died just before the end has already made the file read-only.
  await unlessMissing(chmod(own, 0o600));
  for (const { name } of rest) await rm(join(dir, name), { force: true });
  return own;
}

/** Marks the file as available to other writers; removes it if it is empty. */
export async function releasePartial(dir: string, digest: Digest, path: string): Promise<void> {
  const stat = await unlessMissing(lstat(path));
  if (!stat) return;
  if (stat.size === 0) return rm(path, { force: true });
  await unlessMissing(rename(path, join(dir, nameOf(digest, RELEASED))));
}

function nameOf(digest: Digest, pid: string): string {
  return `${stemOf(digest)}.${pid}.${ownIdentity().space}.${randomUUID()}`;
}

async function leftovers(dir: string, digest: Digest): Promise<{ name: string; size: number }[]> {
  const names = (await readdir(dir)).filter(
    (name) => name.startsWith(`${stemOf(digest)}.`) && isPartial(name),
  );
  const found = await Promise.all(
    names.map(async (name) => ({ name, stat: await unlessMissing(lstat(join(dir, name))) })),
  );
  return found
    .flatMap(({ name, stat }) => (stat?.isFile() ? [{ name, size: stat.size }] : []))
    .sort((one, other) => other.size - one.size);
}

function isPartial(name: string): boolean {
  return name.split('.').length === 4;
}

async function takeOver(dir: string, name: string, own: string): Promise<void> {
  const from = join(dir, name);
  if (!isAbandoned(name)) {
    await unlessMissing(copyFile(from, own, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL));
    return rm(from, { force: true });
  }
  await unlessMissing(rename(from, own));
}

function isAbandoned(name: string): boolean {
  const [, pid = '', space = ''] = name.split('.');
  const self = ownIdentity();
  const isOurs = Number(pid) === self.pid && space === self.space;
  return pid === RELEASED || isOurs || isDead({ pid: Number(pid), space });
}
