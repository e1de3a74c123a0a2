/**
 * Checks that DATA_DIR's file system offers what layouts and the blob cache need: space, durable
 * files, hard links.
 */
import { randomBytes } from 'node:crypto';
import { link, open, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '@portcullis/runtime';
import { type DoctorCheck, type DoctorFinding, fail, ok, warn } from './finding.ts';

const ABOUT = 'data directory';
const GIB = 1024 ** 3;

export const checkDataDir: DoctorCheck = async ({ config }) => {
  const { dataDir } = config;
  return [
    ...(await checkFiles(dataDir)),
    await checkRoom(dataDir),
    ...(await checkKeyFile(dataDir)),
  ];
};

async function checkFiles(dir: string): Promise<DoctorFinding[]> {
  const probe = path.join(dir, `doctor-${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(probe, 'wx', 0o600);
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    const message = `${dir} can not be written (${codeOf(error)})`;
    return [
      fail(
        ABOUT,
        message,
        'Let the account that runs Portcullis own it, or set DATA_DIR to another one.',
      ),
    ];
  }
  try {
    await link(probe, `${probe}.link`);
    return [ok(ABOUT, `${dir} is writable and supports hard links`)];
  } catch (error) {
    const message = `${dir} does not support hard links (${codeOf(error)}): each job keeps its own copy of every blob`;
    return [
      warn(
        ABOUT,
        message,
        'Put DATA_DIR on a local disk, NFSv4 or CephFS; it works, but takes more room.',
      ),
    ];
  } finally {
    await rm(probe, { force: true });
    await rm(`${probe}.link`, { force: true });
  }
}

async function checkRoom(dir: string): Promise<DoctorFinding> {
  const { bavail, blocks, bsize } = await statfs(dir);
  const free = (bavail * bsize) / GIB;
  const message = `${free.toFixed(1)} GiB of ${((blocks * bsize) / GIB).toFixed(1)} GiB are free`;
  const advice =
    'Make room: delete staged images, collect garbage, or move DATA_DIR to a larger disk.';
  if (free < 1) return fail(ABOUT, message, advice);
  return free < 10 ? warn(ABOUT, message, advice) : ok(ABOUT, message);
}

async function checkKeyFile(dir: string): Promise<DoctorFinding[]> {
  const file = path.join(dir, 'secret.key');
  const found = await stat(file).catch(() => null);
  if (found === null || (found.mode & 0o077) === 0) return [];
  return [warn('secret key', `${file} can be read by others`, `chmod 600 ${file}`)];
}

function codeOf(error: unknown): string {
  return (
    ['EACCES', 'EROFS', 'ENOSPC', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOENT'].find((code) =>
      hasCode(error, code),
    ) ?? String(error)
  );
}
