/**
 * Closes DATA_DIR to other accounts at the start of each process: sets the umask for everything
 * that the process and its children create, creates the directory, and corrects modes that leave
 * it open, as those of a restored copy may.
 */
import { access, chmod, constants, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { getSystemErrorMessage } from 'node:util';
import { invalid } from '@portcullis/errors';
import { hasCode } from './system-error.ts';

const OURS_ALONE = 0o077;
/**
 * Search permission of the group, which the embedded PostgreSQL needs where it runs under another
 * account.
 */
const GROUP_SEARCH = 0o010;

/**
 * Parents of DATA_DIR are created with the caller's umask. @returns paths that other accounts can
 * reach and we cannot close, because they belong to another account @throws invalid
 * `DATA_DIR_UNUSABLE`
 */
export async function openDataDir(dataDir: string): Promise<string[]> {
  try {
    await mkdir(path.dirname(dataDir), { recursive: true });
    process.umask(OURS_ALONE);
    await makeDirectory(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return await closeToOthers(dataDir);
  } catch (cause) {
    throw unusable(dataDir, cause);
  }
}

async function makeDirectory(dir: string): Promise<void> {
  try {
    await mkdir(dir, { mode: 0o700 });
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !(await stat(dir)).isDirectory()) throw error;
  }
}

/**
 * Only the directory and its entries: behind a closed directory nothing can be reached, whatever
 * its mode.
 */
async function closeToOthers(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir);
  const entries = names.map((name) => closeEntry(path.join(dataDir, name)));
  const left = await Promise.all([closeTop(dataDir), ...entries]);
  return left.filter((each) => each !== null);
}

/** `dataDir` may be a symbolic link: its target is closed. */
async function closeTop(dataDir: string): Promise<string | null> {
  const found = await stat(dataDir);
  const isShared = process.getuid?.() === 0 && found.gid !== 0;
  return close(dataDir, found, isShared ? OURS_ALONE & ~GROUP_SEARCH : OURS_ALONE);
}

/**
 * A link is the operator's choice of another directory. Another account's entry must be closed by
 * that account.
 */
async function closeEntry(entry: string): Promise<string | null> {
  const found = await lstat(entry).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null; // a draft of a concurrent process
    throw error;
  });
  if (found === null || found.isSymbolicLink() || found.uid !== process.getuid?.()) return null;
  return close(entry, found, OURS_ALONE);
}

async function close(
  entry: string,
  { mode, uid }: { mode: number; uid: number },
  surplus: number,
): Promise<string | null> {
  // The owner of a directory may replace everything in it. Root may anyway.
  const isForeign = uid !== process.getuid?.() && uid !== 0;
  if ((mode & surplus) === 0) return isForeign ? entry : null;
  if (uid !== process.getuid?.()) return isForeign || (mode & 0o007) !== 0 ? entry : null;
  await chmod(entry, mode & 0o7777 & ~surplus).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT')) throw error;
  });
  return null;
}

function unusable(dataDir: string, cause: unknown): Error {
  const text = `DATA_DIR ${dataDir} can't be used: ${reason(cause)}; set DATA_DIR to a directory that this account may create and write`;
  return invalid('DATA_DIR_UNUSABLE', text, { cause });
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if ('errno' in cause && typeof cause.errno === 'number')
    return getSystemErrorMessage(cause.errno);
  return cause.message;
}

/** The warning about paths that `openDataDir` could not close. */
export function openToOthers(paths: readonly string[]): string {
  return `other accounts of this machine can reach ${paths.join(', ')}, which belongs to another account: take their rights away with chmod`;
}
