/**
 * Checks that a copy of the registry's storage contains what its manifests reference, which a
 * concurrent garbage collection would violate.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '@portcullis/runtime';
import { z } from 'zod';

const Descriptor = z.object({ digest: z.string(), urls: z.array(z.string()).optional() });
const Named = z.object({ config: Descriptor.optional(), layers: z.array(Descriptor).optional() });

const REVISION = /\/_manifests\/revisions\/(\w+)\/([0-9a-f]+)\/link$/;
const BLOB = /\/blobs\/(\w+)\/[0-9a-f]{2}\/([0-9a-f]+)\/data$/;

export interface CopiedFiles {
  add(file: string): void;
  /** Digests of manifests with missing content. */
  broken(root: string): Promise<string[]>;
}

export function copiedFiles(): CopiedFiles {
  const manifests = new Set<string>();
  const blobs = new Map<string, string>();

  async function isWhole(root: string, digest: string): Promise<boolean> {
    const file = blobs.get(digest);
    const text = file === undefined ? null : await textIfThere(path.join(root, file));
    if (text === null) return false;
    return namedBy(text).every((named) => blobs.has(named));
  }

  return {
    add(file) {
      const manifest = REVISION.exec(file);
      if (manifest) manifests.add(`${manifest[1]}:${manifest[2]}`);
      const blob = BLOB.exec(file);
      if (blob) blobs.set(`${blob[1]}:${blob[2]}`, file);
    },
    async broken(root) {
      const found: string[] = [];
      for (const digest of manifests) if (!(await isWhole(root, digest))) found.push(digest);
      return found;
    },
  };
}

/** Without the manifests of an index, which may be sparse, and layers that are stored elsewhere. */
function namedBy(manifest: string): string[] {
  const { success, data } = Named.safeParse(JSON.parse(manifest));
  if (!success) return [];
  const all = [...(data.config ? [data.config] : []), ...(data.layers ?? [])];
  return all.filter(({ urls }) => urls === undefined).map(({ digest }) => digest);
}

async function textIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
