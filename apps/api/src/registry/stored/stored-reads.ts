/**
 * Answers reads of blobs and manifests from the registry's storage where it is a directory that
 * this process can read. Whatever is unusual is left to the registry: what is not found,
 * conditions, several ranges. See docs/decisions/0060-reads-from-the-registrys-storage.md.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import type { StoredContent } from '@portcullis/local-registry';
import { algorithmOf, type Digest, isDigest } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import { upstreamHeaders } from '../headers.ts';
import type { LocalRegistryClient } from '../proxy/registry-client.ts';
import type { RouteOf, V2Request, V2Route } from '../routes.ts';
import { createManifestMemory } from './manifest-memory.ts';
import { blobReply, manifestReply, type ReadHeaders, type StoredReply } from './stored-reply.ts';

export interface StoredReadsPorts {
  content: StoredContent;
  registry: Pick<LocalRegistryClient, 'has'>;
  /** Whether the storage is known to be that of the registry. */
  isConfirmed(): boolean;
  log: Pick<Logger, 'warn'>;
}

export interface StoredReads {
  /** Null where the registry has to answer. */
  find(v2Request: V2Request, headers: IncomingHttpHeaders): Promise<StoredReply | null>;
  /** Whether the file of a manifest of the repository has lost its bytes. */
  isManifestEmpty(route: RouteOf<'manifest'>): Promise<boolean>;
  /** The size of a blob of the repository; null where the registry has to answer. */
  blobSize(repository: string, digest: Digest): Promise<number | null>;
  /**
   * The headers of the registry's 404 to a HEAD of a blob, for one that the repository lacks. Null
   * where the registry has to answer.
   */
  absentBlob(v2Request: V2Request): Promise<IncomingHttpHeaders | null>;
  /** Keeps those headers of a reply of the registry. */
  learnAbsent(v2Request: V2Request, reply: Pick<StoredReply, 'headers'> & { status: number }): void;
  /** A stream stage for the registry's reply with status 200 to a GET of a manifest. */
  learn(repository: string, headers: IncomingHttpHeaders): Transform | null;
}

const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-range'];

export function createStoredReads({
  content,
  registry,
  isConfirmed,
  log,
}: StoredReadsPorts): StoredReads {
  const memory = createManifestMemory();
  /** Their body has the digest, whose length is always the same. */
  let absentHeaders: IncomingHttpHeaders | null = null;
  let usable = true;
  let hasFailed = false;

  function failed(err: unknown): null {
    if (!hasFailed)
      log.warn(
        { err },
        "a file of REGISTRY_STORAGE can't be read; the registry answers, and this is not logged again",
      );
    hasFailed = true;
    return null;
  }

  async function findBlob(
    { repository, digest }: RouteOf<'blob'>,
    method: string,
    { range }: ReadHeaders,
  ): Promise<StoredReply | null> {
    const blob = await content.openBlob(repository, digest);
    return blob && blobReply({ digest, ...blob }, { method, range });
  }

  async function findManifest(
    { repository, reference }: RouteOf<'manifest'>,
    method: string,
    { range, accept }: ReadHeaders,
  ): Promise<StoredReply | null> {
    if (range !== undefined || !content.isFresh()) return null;
    const digest = isDigest(reference)
      ? reference
      : await content.taggedDigest(repository, reference);
    const known = digest === null ? undefined : memory.find(digest);
    if (digest === null || !known || !accepts(accept, known.headers['content-type'])) return null;
    if (!(await content.hasManifest(repository, digest))) return null;
    return manifestReply(known.bytes, known.headers, method);
  }

  /** The registry says that it has the manifest: its storage must have it as well. */
  async function verify(repository: string, digest: string): Promise<void> {
    if (!isDigest(digest) || (await content.hasManifest(repository, digest))) return;
    // Unless it was deleted in between.
    if (!(await registry.has(repository, digest))) return;
    if (await content.hasManifest(repository, digest)) return;
    if (usable)
      log.warn(
        'REGISTRY_STORAGE is not the storage of the registry at REGISTRY_URL; from now on the registry answers all reads of /v2',
      );
    usable = false;
  }

  return {
    async find(v2Request, headers) {
      const { method, route } = v2Request;
      if (!usable || (method !== 'GET' && method !== 'HEAD')) return null;
      if (route.kind !== 'blob' && route.kind !== 'manifest') return null;
      if (CONDITIONS.some((name) => headers[name] !== undefined)) return null;
      const asked = upstreamHeaders(v2Request, headers);
      try {
        return route.kind === 'blob'
          ? await findBlob(route, method, asked)
          : await findManifest(route, method, asked);
      } catch (err) {
        return failed(err);
      }
    },
    async isManifestEmpty({ repository, reference }) {
      if (!usable) return false;
      try {
        const digest = isDigest(reference)
          ? reference
          : await content.taggedDigest(repository, reference);
        const opened = digest && (await content.openManifest(repository, digest));
        await opened?.file.close();
        return opened?.size === 0;
      } catch (err) {
        return failed(err) ?? false;
      }
    },
    blobSize: async (repository, digest) =>
      usable ? content.blobSize(repository, digest).catch(failed) : null,
    async absentBlob({ method, route }) {
      if (method !== 'HEAD' || !isBySha256(route) || absentHeaders === null) return null;
      if (!usable || !isConfirmed() || !content.isFresh()) return null;
      try {
        const size = await content.blobSize(route.repository, route.digest);
        return size === null ? absentHeaders : null;
      } catch (err) {
        return failed(err);
      }
    },
    learnAbsent({ method, route }, { status, headers }) {
      if (method === 'HEAD' && isBySha256(route) && status === 404) absentHeaders = headers;
    },
    learn(repository, headers) {
      if (!usable || !content.isFresh()) return null;
      const stage = memory.keep(headers);
      if (stage)
        void verify(repository, headers['docker-content-digest']?.toString() ?? '').catch(() => {});
      return stage;
    },
  };
}

function isBySha256(route: V2Route): route is RouteOf<'blob'> {
  return route.kind === 'blob' && algorithmOf(route.digest) === 'sha256';
}

/** Tokens with parameters are left to the registry. */
function accepts(accept: string | undefined, type: string | undefined): boolean {
  if (accept === undefined || type === undefined) return false;
  return accept.split(',').some((each) => each.trim() === type);
}
