/**
 * The `index.json` of an OCI image layout (image-layout.md): one entry per untagged manifest and
 * one per tag.
 */
import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Descriptor } from '../model/descriptor.ts';
import { parseManifest } from '../model/manifest.ts';
import { OCI_INDEX } from '../model/media-type.ts';
import { invalid } from '../oci-error.ts';
import { unlessMissing } from './storage-error.ts';

const REF_NAME = 'org.opencontainers.image.ref.name';
const LIMITS = { maxManifestBytes: 64 * 1024 * 1024, maxWidth: 100_000 };

export interface IndexFile {
  entries(): Promise<Descriptor[]>;
  /** Applies changes one after the other; resolves once the file is synced to disk. */
  change(edit: (entries: Descriptor[]) => Descriptor[]): Promise<void>;
}

export function openIndexFile(dir: string): IndexFile {
  const path = join(dir, 'index.json');
  let last: Promise<unknown> = Promise.resolve();
  /** An image may have a thousand referrers, and each push reads and changes the file. */
  let known: { identity: string; entries: Descriptor[] } | undefined;
  const entries = async () => {
    const before = await unlessMissing(stat(path, { bigint: true }));
    if (!before) return [];
    const identity = identityOf(before);
    if (known?.identity === identity) return known.entries;
    const read = await readEntries(path);
    const after = await unlessMissing(stat(path, { bigint: true }));
    // It may have been replaced while it was read; then the next call reads it again.
    known = after && identityOf(after) === identity ? { identity, entries: read } : undefined;
    return read;
  };
  return {
    entries,
    change(edit) {
      const next = last.then(async () => {
        const before = await entries();
        const after = edit(before);
        // Pulling an image that is already present must not cost a disk sync.
        if (JSON.stringify(before) !== JSON.stringify(after))
          known = { identity: await writeEntries(path, after), entries: after };
      });
      last = next.catch(() => undefined);
      return next;
    },
  };
}

export function tagOf(entry: Descriptor): string | undefined {
  return entry.annotations?.[REF_NAME];
}

export function tagged(descriptor: Descriptor, tag: string): Descriptor {
  return { ...untagged(descriptor), annotations: { ...descriptor.annotations, [REF_NAME]: tag } };
}

/** Removes the tag annotation: an index from a registry must not set tags in this layout. */
export function untagged(descriptor: Descriptor): Descriptor {
  const { annotations, ...rest } = descriptor;
  const { [REF_NAME]: _, ...others } = annotations ?? {};
  return Object.keys(others).length > 0 ? { ...rest, annotations: others } : rest;
}

/** Each change is a new file that takes the place of the old one. */
function identityOf({ ino, mtimeNs, size }: BigIntStats): string {
  return `${ino} ${mtimeNs} ${size}`;
}

async function readEntries(path: string): Promise<Descriptor[]> {
  const bytes = await unlessMissing(readFile(path));
  if (!bytes) return [];
  const document = await parseManifest(bytes, OCI_INDEX, LIMITS);
  if (document.kind === 'index') return document.manifests;
  throw invalid('LAYOUT_INVALID', 'index.json of the layout is not an index');
}

/** @returns the identity of the new file */
async function writeEntries(path: string, manifests: Descriptor[]): Promise<string> {
  const text = JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests });
  return identityOf(await replaceFile(path, text));
}

/** Replaces the file atomically and durably. */
export async function replaceFile(path: string, text: string): Promise<BigIntStats> {
  const draft = `${path}.${randomUUID()}`;
  let written: BigIntStats;
  try {
    await using file = await open(draft, 'wx', 0o644);
    await file.writeFile(text);
    await file.sync();
    written = await file.stat({ bigint: true });
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await rename(draft, path);
  return written;
}
