/**
 * Lists what is in the registry's storage: the manifests of a repository, and what they reference.
 */
import {
  algorithmOf,
  type Digest,
  encodedOf,
  forEachAtMost,
  isDigest,
  parseJson,
} from '@portcullis/oci';
import type { StorageFiles } from '../storage/storage-files.ts';

/** Concurrent requests to a storage behind a network. */
export const AT_ONCE = 16;

export function blobFile(digest: Digest): string {
  const encoded = encodedOf(digest);
  return `blobs/${algorithmOf(digest)}/${encoded.slice(0, 2)}/${encoded}/data`;
}

/** @param place a path within the repository */
export function repositoryFile(repository: string, place: string): string {
  return `${ROOT}/${repository}/${place}`;
}

/** Lists every repository. */
export async function* repositoriesIn(storage: StorageFiles): AsyncGenerator<string> {
  for (let level = [ROOT]; level.length > 0; ) {
    const below: string[] = [];
    for (let at = 0; at < level.length; at += AT_ONCE) {
      const parents = level.slice(at, at + AT_ONCE);
      const listed = await Promise.all(parents.map((path) => storage.directories(path)));
      for (const [n, names] of listed.entries()) {
        const path = parents[n] ?? ROOT;
        if (names.includes('_manifests')) yield path.slice(ROOT.length + 1);
        below.push(
          ...names.filter((name) => !name.startsWith('_')).map((name) => `${path}/${name}`),
        );
      }
    }
    level = below;
  }
}

const ROOT = 'repositories';

export interface BlobFile {
  size: number;
  modifiedAt: number;
}

export async function blobFiles(storage: StorageFiles): Promise<Map<string, BlobFile>> {
  const found = new Map<string, BlobFile>();
  for (const algorithm of await storage.directories('blobs')) {
    const prefixes = await storage.directories(`blobs/${algorithm}`);
    await forEachAtMost(AT_ONCE, prefixes, async (prefix) => {
      for await (const { path, ...facts } of storage.files(`blobs/${algorithm}/${prefix}`)) {
        const digest = `${algorithm}:${path.split('/').at(-2)}`;
        if (isDigest(digest) && path === blobFile(digest)) found.set(digest, facts);
      }
    });
  }
  return found;
}

/**
 * Blobs that a repository links by a sha512 digest, by the sha256 digest under which they are
 * stored. The registry's own garbage collector marks what manifests reference, and would delete a
 * blob that is referenced only by its sha512 digest.
 */
export async function namedBySha512(storage: StorageFiles): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const repository of repositoriesIn(storage))
    for (const digest of await namedIn(storage, repository)) found.add(digest);
  return found;
}

/** As `namedBySha512`, for one repository. */
export async function namedIn(storage: StorageFiles, repository: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { path } of storage.files(`${ROOT}/${repository}/_layers/sha512`)) {
    const stored = path.endsWith('/link') ? await storage.read(path) : null;
    if (stored !== null) found.push(stored.toString('utf8').trim());
  }
  return found;
}

/**
 * Manifests of a repository that no tag reaches, neither through an index nor as referrers of one
 * that is reached. Parents come before their children.
 */
export async function unreachable(
  storage: StorageFiles,
  repository: string,
  { kept, recorded }: { kept: ReadonlySet<string>; recorded?: Recorded | undefined },
): Promise<Digest[]> {
  const manifests = new Map<Digest, ManifestLinks>();
  await forEachAtMost(AT_ONCE, await revisionsOf(storage, repository), async (digest) => {
    const links = await linksOf(storage, digest);
    manifests.set(digest, links ?? (await recordedIn(recorded, repository, digest)) ?? NO_LINKS);
  });
  return unreachableOf(storage, repository, { manifests, kept });
}

/**
 * What the index of images has of a manifest, for one whose file can't be read any more: a crash or
 * a full disk cut it short, and a push of its image stores it again. Null where it has nothing.
 */
export type Recorded = (
  repository: string,
  digest: string,
) => Promise<readonly { digest: string; isManifest: boolean }[] | null>;

/** As if it were read. That the index has no part of it says nothing: each image has one. */
export async function recordedIn(
  recorded: Recorded | undefined,
  repository: string,
  digest: string,
): Promise<(ManifestLinks & { names: string[] }) | null> {
  const parts = (await recorded?.(repository, digest)) ?? [];
  if (parts.length === 0) return null;
  const children = parts.filter(({ isManifest }) => isManifest).map((part) => part.digest);
  return { children, subject: null, names: parts.map((part) => part.digest) };
}

/** As `unreachable`, for manifests that were read. */
export async function unreachableOf(
  storage: StorageFiles,
  repository: string,
  { manifests, kept }: { manifests: ReadonlyMap<Digest, ManifestLinks>; kept: ReadonlySet<string> },
): Promise<Digest[]> {
  const revisions = [...manifests.keys()];
  const roots = [
    ...(await taggedIn(storage, repository)),
    ...revisions.filter((digest) => kept.has(digest)),
  ];
  const reached = reachedFrom(roots, manifests);
  const left = revisions.filter((digest) => !reached.has(digest));
  const named = new Set(left.flatMap((digest) => manifests.get(digest)?.children ?? []));
  return [
    ...left.filter((digest) => !named.has(digest)),
    ...left.filter((digest) => named.has(digest)),
  ];
}

function reachedFrom(roots: string[], links: ReadonlyMap<string, ManifestLinks>): Set<string> {
  const referrers = Map.groupBy(links.keys(), (digest) => links.get(digest)?.subject ?? null);
  const reached = new Set<string>();
  for (const waiting = [...roots]; waiting.length > 0; ) {
    const digest = waiting.pop() ?? '';
    if (reached.has(digest)) continue;
    reached.add(digest);
    for (const child of links.get(digest)?.children ?? []) waiting.push(child);
    for (const referrer of referrers.get(digest) ?? []) waiting.push(referrer);
  }
  return reached;
}

/** The manifests of a repository. A deleted one leaves its directory without the link. */
export async function revisionsOf(storage: StorageFiles, repository: string): Promise<Digest[]> {
  const found: Digest[] = [];
  for await (const { path } of storage.files(`${ROOT}/${repository}/_manifests/revisions`)) {
    const [algorithm, encoded, name] = path.split('/').slice(-3);
    const digest = `${algorithm}:${encoded}`;
    if (name === 'link' && isDigest(digest)) found.push(digest);
  }
  return found;
}

async function taggedIn(storage: StorageFiles, repository: string): Promise<string[]> {
  const base = `${ROOT}/${repository}/_manifests/tags`;
  const digests: string[] = [];
  await forEachAtMost(AT_ONCE, await storage.directories(base), async (tag) => {
    const link = await storage.read(`${base}/${tag}/current/link`);
    if (link !== null) digests.push(link.toString('utf8').trim());
  });
  return digests;
}

/** The manifests that a manifest names. */
export interface ManifestLinks {
  children: string[];
  subject: string | null;
}

const NO_LINKS: ManifestLinks = { children: [], subject: null };

/** Null for a manifest that cannot be read. One without a file references nothing. */
async function linksOf(storage: StorageFiles, digest: Digest): Promise<ManifestLinks | null> {
  const bytes = await storage.read(blobFile(digest));
  if (bytes === null) return NO_LINKS;
  const document = await fieldsOf(bytes);
  return (
    document && { children: digestsIn(document.manifests), subject: digestOf(document.subject) }
  );
}

/** The digests in a list of descriptors. */
export function digestsIn(descriptors: unknown): string[] {
  return Array.isArray(descriptors)
    ? descriptors.map(digestOf).filter((each) => each !== null)
    : [];
}

export function digestOf(descriptor: unknown): string | null {
  const digest =
    typeof descriptor === 'object' && descriptor !== null && Reflect.get(descriptor, 'digest');
  return typeof digest === 'string' ? digest : null;
}

/** Null for anything other than a JSON object. */
export async function fieldsOf(bytes: Uint8Array): Promise<Record<string, unknown> | null> {
  try {
    const value = await parseJson(bytes);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
