/**
 * Runs the registry's own garbage collector on a directory that is a view of its storage: the same
 * blobs and repositories, and one more repository whose manifests reference what must be kept. The
 * running registry does not see that, and a crash leaves nothing but a manifest that the next
 * collection removes.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unavailable } from '@portcullis/errors';
import { type Digest, isDigest, OCI_MANIFEST } from '@portcullis/oci';
import { blobFiles, namedBySha512 } from '../catalog/stored-manifests.ts';
import { registryConfig } from '../config.ts';
import { type RegistryProgram, runTied } from '../program.ts';
import { directoryFiles } from '../storage/directory-files.ts';
import { blobPath, blobsDir, repositoriesDir } from '../storage/storage.ts';
import { type Collected, type Collection, isAlwaysKept } from './collection.ts';

export interface CollectOptions extends Collection {
  storageDir: string;
  program: RegistryProgram;
  /** A directory of ours, for the view. */
  workDir: string;
}

const ELIGIBLE = /^blob eligible for deletion: (\S+)/;

/** @throws unavailable `GC_FAILED`; the signal's reason */
export async function collectGarbage(options: CollectOptions): Promise<Collected> {
  const { storageDir, signal, dryRun } = options;
  const storage = directoryFiles(storageDir);
  const files = await blobFiles(storage);
  const aliased = await namedBySha512(storage);
  const kept = [...files].filter(
    ([digest, file]) => aliased.has(digest) || isAlwaysKept(digest, file.modifiedAt, options),
  );
  await mkdir(options.workDir, { recursive: true });
  const view = await mkdtemp(join(options.workDir, 'gc-'));
  const sum = { blobs: 0, bytes: 0 };
  let last = '';
  const line = (text: string) => {
    const [, digest] = ELIGIBLE.exec(text) ?? [];
    if (digest !== undefined && isDigest(digest)) {
      sum.blobs += 1;
      sum.bytes += files.get(digest)?.size ?? 0;
    }
    if (text.trim() !== '') last = text.trim();
    options.line(text);
  };
  const notes: Digest[] = [];
  try {
    await makeView(storageDir, view);
    notes.push(
      ...(await name(
        kept.map(([digest]) => digest),
        { storageDir, view },
      )),
    );
    const config = join(view, 'config.yml');
    const storage = { type: 'filesystem', dir: view } as const;
    const unused = { listen: { port: 5000 }, secret: randomUUID() }; // the collector does not listen
    await writeFile(config, registryConfig({ storage, ...unused }), { mode: 0o600 });
    const args = ['garbage-collect', ...(dryRun ? ['--dry-run'] : []), config];
    const { code } = await runTied(options.program, args, { signal, line });
    if (code !== 0)
      throw unavailable('GC_FAILED', `the registry's collector ended with ${code}: ${last}`);
    return sum;
  } finally {
    for (const digest of notes)
      await rm(dirname(blobPath(storageDir, digest)), { recursive: true, force: true });
    await rm(view, { recursive: true, force: true });
  }
}

async function makeView(storageDir: string, view: string): Promise<void> {
  await mkdir(blobsDir(storageDir), { recursive: true });
  await mkdir(repositoriesDir(storageDir), { recursive: true });
  await mkdir(repositoriesDir(view), { recursive: true });
  await symlink(blobsDir(storageDir), blobsDir(view));
  for (const name of await readdir(repositoriesDir(storageDir)))
    await symlink(join(repositoriesDir(storageDir), name), join(repositoriesDir(view), name));
}

/** Every client accepts a manifest of up to 4 MiB. */
const NAMED_AT_ONCE = 10_000;

/** @returns the digests of the manifests that reference them */
async function name(
  digests: string[],
  { storageDir, view }: { storageDir: string; view: string },
): Promise<Digest[]> {
  // First in the order of names: distribution 3 removes a repository's link to a blob which no
  // repository before it references, such as the layers of a push that goes on.
  const repository = join(repositoriesDir(view), `0--kept-${randomUUID()}`);
  // The collector recognises a repository by this directory.
  if (digests.length > 0) await mkdir(join(repository, '_layers'), { recursive: true });
  const written: Digest[] = [];
  for (let at = 0; at < digests.length; at += NAMED_AT_ONCE) {
    const text = naming(digests.slice(at, at + NAMED_AT_ONCE));
    const encoded = createHash('sha256').update(text).digest('hex');
    const digest = `sha256:${encoded}` as const;
    if (!isDigest(digest)) throw new Error('unreachable: a SHA-256 is a digest');
    const file = blobPath(storageDir, digest);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    const revision = join(repository, '_manifests', 'revisions', 'sha256', encoded);
    await mkdir(revision, { recursive: true });
    await writeFile(join(revision, 'link'), digest);
    written.push(digest);
  }
  return written;
}

function naming(digests: string[]): string {
  const [first = '', ...rest] = digests;
  const layer = (digest: string) => ({
    mediaType: 'application/vnd.oci.image.layer.v1.tar',
    digest,
    size: 1,
  });
  const config = { ...layer(first), mediaType: 'application/vnd.oci.image.config.v1+json' };
  // Unique for each collection: an equal manifest may be a user's image.
  const annotations = { 'portcullis.kept': randomUUID() };
  const layers = rest.map(layer);
  return JSON.stringify({ schemaVersion: 2, mediaType: OCI_MANIFEST, config, layers, annotations });
}
