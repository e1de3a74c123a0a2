/** The registry's storage as it lies on disk: which manifests a repository has, and what leads to them. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type Digest, isDigest } from '@portcullis/oci';
import { blobPath, blobsDir, repositoriesDir } from './storage.ts';

/** Every repository, one after the other. */
export async function* repositoriesIn(storageDir: string): AsyncGenerator<string> {
  const root = repositoriesDir(storageDir);
  for (const waiting = [root]; waiting.length > 0; ) {
    const dir = waiting.pop() ?? root;
    const names = await namesIn(dir);
    if (names.includes('_manifests')) yield relative(root, dir).split(sep).join('/');
    waiting.push(...names.filter((name) => !name.startsWith('_')).map((name) => join(dir, name)));
  }
}

export interface BlobFile {
  size: number;
  modifiedAt: number;
}

export async function blobFiles(storageDir: string): Promise<Map<string, BlobFile>> {
  const found = new Map<string, BlobFile>();
  for (const algorithm of await namesIn(blobsDir(storageDir)))
    for (const prefix of await namesIn(join(blobsDir(storageDir), algorithm)))
      for (const encoded of await namesIn(join(blobsDir(storageDir), algorithm, prefix))) {
        const digest = `${algorithm}:${encoded}`;
        const facts = isDigest(digest) && (await ifThere(() => stat(blobPath(storageDir, digest))));
        if (facts) found.set(digest, { size: facts.size, modifiedAt: facts.mtimeMs });
      }
  return found;
}

/**
 * Blobs that a repository knows by a sha512 digest, by the sha256 digest that they are stored under. The registry's own
 * collector marks what manifests name, and takes a blob whose other name is marked.
 */
export async function namedBySha512(storageDir: string): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const repository of repositoriesIn(storageDir)) {
    const base = join(repositoriesDir(storageDir), ...repository.split('/'), '_layers', 'sha512');
    for (const encoded of await namesIn(base)) {
      const stored = (await ifThere(() => readFile(join(base, encoded, 'link'), 'utf8')))?.trim();
      if (stored !== undefined) found.add(stored);
    }
  }
  return found;
}

/**
 * Manifests of a repository that no tag leads to: neither through an index nor as what refers to something that one
 * leads to. What names others comes before them.
 */
export async function unreachable(
  storageDir: string,
  repository: string,
  kept: ReadonlySet<string>,
): Promise<Digest[]> {
  const base = join(repositoriesDir(storageDir), ...repository.split('/'), '_manifests');
  const revisions = await revisionsIn(base);
  const links = new Map<string, Links>();
  for (const digest of revisions) links.set(digest, await linksOf(storageDir, digest));
  const reached = new Set<string>();
  const roots = [...(await taggedIn(base)), ...revisions.filter((digest) => kept.has(digest))];
  for (const waiting: string[] = roots; waiting.length > 0; ) {
    const digest = waiting.pop() ?? '';
    if (reached.has(digest)) continue;
    reached.add(digest);
    waiting.push(...(links.get(digest)?.children ?? []));
    for (const [referrer, { subject }] of links) if (subject === digest) waiting.push(referrer);
  }
  const left = revisions.filter((digest) => !reached.has(digest));
  const named = new Set(left.flatMap((digest) => links.get(digest)?.children ?? []));
  return [...left.filter((digest) => !named.has(digest)), ...left.filter((digest) => named.has(digest))];
}

async function revisionsIn(base: string): Promise<Digest[]> {
  const found: Digest[] = [];
  for (const algorithm of await namesIn(join(base, 'revisions')))
    for (const encoded of await namesIn(join(base, 'revisions', algorithm))) {
      const digest = `${algorithm}:${encoded}`;
      // A deleted one leaves its directory behind, without the link.
      const link = join(base, 'revisions', algorithm, encoded, 'link');
      if (isDigest(digest) && (await ifThere(() => stat(link)))) found.push(digest);
    }
  return found;
}

async function taggedIn(base: string): Promise<string[]> {
  const links = (await namesIn(join(base, 'tags'))).map((tag) => join(base, 'tags', tag, 'current', 'link'));
  const digests = await Promise.all(links.map((link) => ifThere(() => readFile(link, 'utf8'))));
  return digests.filter((digest) => digest !== null).map((digest) => digest.trim());
}

interface Links {
  children: string[];
  subject: string | null;
}

/** What can't be read leads nowhere; whoever deletes it deletes what nobody could pull. */
async function linksOf(storageDir: string, digest: Digest): Promise<Links> {
  const text = await ifThere(() => readFile(blobPath(storageDir, digest), 'utf8'));
  const document = text === null ? null : fieldsOf(text);
  const manifests: unknown = document?.manifests;
  const children = Array.isArray(manifests) ? manifests.map(digestOf).filter((each) => each !== null) : [];
  return { children, subject: digestOf(document?.subject) };
}

function digestOf(descriptor: unknown): string | null {
  const digest = typeof descriptor === 'object' && descriptor !== null && Reflect.get(descriptor, 'digest');
  return typeof digest === 'string' ? digest : null;
}

function fieldsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

async function namesIn(dir: string): Promise<string[]> {
  const entries = (await ifThere(() => readdir(dir, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

export async function ifThere<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
