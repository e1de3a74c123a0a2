/**
 * The `index.json` of an OCI image layout (image-layout.md): one entry per untagged manifest and
 * one per tag.
 */
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
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
  const entries = () => readEntries(path);
  return {
    entries,
    change(edit) {
      const next = last.then(async () => {
        const before = await entries();
        const after = edit(before);
        // Pulling an image that is already present must not cost a disk sync.
        if (JSON.stringify(before) !== JSON.stringify(after)) await writeEntries(path, after);
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

async function readEntries(path: string): Promise<Descriptor[]> {
  const bytes = await unlessMissing(readFile(path));
  if (!bytes) return [];
  const document = parseManifest(bytes, OCI_INDEX, LIMITS);
  if (document.kind === 'index') return document.manifests;
  throw invalid('LAYOUT_INVALID', 'index.json of the layout is not an index');
}

async function writeEntries(path: string, manifests: Descriptor[]): Promise<void> {
  const text = JSON.stringify({ schemaVersion: 2, mediaType: OCI_INDEX, manifests });
  await replaceFile(path, text);
}

/** Replaces the file atomically and durably. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await using file = await open(draft, 'wx', 0o644);
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await rename(draft, path);
}
