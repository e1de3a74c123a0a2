/**
 * Backs up and restores the layouts of staging jobs. A blob that several of them link to is in the
 * archive once, and is linked again at the restore. A layout that is being pulled may be
 * incomplete; its job pulls the rest.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { exists } from '@portcullis/embedded';
import { linkOrCopy } from '@portcullis/oci/layout';
import { hasCode } from '@portcullis/runtime';
import { damaged } from './archive-reader.ts';
import type { ArchiveWriter } from './archive-writer.ts';
import { ENTRIES, type StagedLinks } from './manifest.ts';
import { storageFiles } from './storage-files.ts';

const BLOB = /(?:^|\/)blobs\/(sha256|sha512)\/([0-9a-f]+)$/;
/** Locks and drafts of running writers. */
const PASSING = /\/\.|\.(?:lock|draft|tmp)$|\.[0-9a-f-]{36}$/;

function stagingPlaces(dataDir: string): { layouts: string; blobs: string } {
  const cache = path.join(dataDir, 'cache');
  return { layouts: path.join(cache, 'staging'), blobs: path.join(cache, 'blobs') };
}

/** Returns the number of files. */
export async function writeStaging(archive: ArchiveWriter, dataDir: string): Promise<number> {
  const { layouts } = stagingPlaces(dataDir);
  const links: StagedLinks = {};
  const written = new Set<string>();
  let files = 0;
  for await (const file of storageFiles(layouts)) {
    if (PASSING.test(`/${file}`)) continue;
    const [, algorithm, hex] = BLOB.exec(file) ?? [];
    const blob = algorithm && `${algorithm}/${hex}`;
    if (blob) links[file] = blob;
    if (blob && written.has(blob)) continue;
    const entry = blob ? ENTRIES.stagedBlobs + blob : ENTRIES.stagedFiles + file;
    if (!(await archive.file(entry, path.join(layouts, file)))) continue;
    if (blob) written.add(blob);
    files++;
  }
  const whole = Object.entries(links).filter(([, blob]) => written.has(blob));
  await archive.json(ENTRIES.stagedLinks, Object.fromEntries(whole));
  return files;
}

/**
 * Links the blobs of `draft` into its layouts: what does not fit together is found before anything
 * is replaced. @throws invalid `BACKUP_DAMAGED`
 */
export async function linkStaged(draft: string, links: StagedLinks): Promise<void> {
  for (const [file, blob] of Object.entries(links)) {
    const to = path.join(draft, 'jobs', file);
    const isLinked = await link(path.join(draft, 'blobs', blob), to);
    if (!isLinked) throw damaged(`the staged blob ${blob} of ${file} is missing`);
  }
}

async function link(from: string, to: string): Promise<boolean> {
  try {
    await mkdir(path.dirname(to), { recursive: true });
    if (await exists(to)) throw damaged('two files of a staged image have one place');
    return await linkOrCopy(from, to);
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOTDIR', 'EISDIR')) throw error;
    throw damaged('a staged image has a file in the place of a folder', error);
  }
}

/**
 * Moves the content of `draft` into place: the layouts replace the existing ones, the blobs are
 * added.
 */
export async function placeStaging(
  draft: string,
  links: StagedLinks,
  dataDir: string,
): Promise<void> {
  const { layouts, blobs } = stagingPlaces(dataDir);
  await rm(layouts, { recursive: true, force: true });
  await mkdir(path.dirname(layouts), { recursive: true });
  const drafted = path.join(draft, 'jobs');
  await ((await exists(drafted)) ? rename(drafted, layouts) : mkdir(layouts));
  for (const blob of new Set(Object.values(links))) {
    await mkdir(path.dirname(path.join(blobs, blob)), { recursive: true });
    await rename(path.join(draft, 'blobs', blob), path.join(blobs, blob));
  }
}
