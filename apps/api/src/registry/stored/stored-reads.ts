/**
 * Answers reads of blobs and manifests from the registry's storage where it is a directory that
 * this process can read. Whatever is unusual is left to the registry: what is not found,
 * conditions, several ranges. See docs/decisions/0060-reads-from-the-registrys-storage.md.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import type { StoredContent } from '@portcullis/local-registry';
import { isDigest } from '@portcullis/oci';
import type { Logger } from '@portcullis/runtime';
import { upstreamHeaders } from '../headers.ts';
import type { V2Request, V2Route } from '../parse.ts';
import type { LocalRegistryClient } from '../proxy/registry-client.ts';
import { createManifestMemory } from './manifest-memory.ts';
import { blobReply, manifestReply, type ReadHeaders, type StoredReply } from './stored-reply.ts';

export interface StoredReadsPorts {
  content: StoredContent;
  registry: Pick<LocalRegistryClient, 'has'>;
  log: Pick<Logger, 'warn'>;
}

export interface StoredReads {
  /** Null where the registry has to answer. */
  find(v2Request: V2Request, headers: IncomingHttpHeaders): Promise<StoredReply | null>;
  /** A stream stage for the registry's reply with status 200 to a GET of a manifest. */
  learn(repository: string, headers: IncomingHttpHeaders): Transform | null;
}

type RouteOf<Kind extends V2Route['kind']> = Extract<V2Route, { kind: Kind }>;

const CONDITIONS = ['if-match', 'if-none-match', 'if-modified-since', 'if-range'];

export function createStoredReads({ content, registry, log }: StoredReadsPorts): StoredReads {
  const memory = createManifestMemory();
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
    learn(repository, headers) {
      if (!usable || !content.isFresh()) return null;
      const stage = memory.keep(headers);
      if (stage)
        void verify(repository, headers['docker-content-digest']?.toString() ?? '').catch(() => {});
      return stage;
    },
  };
}

/** Tokens with parameters are left to the registry. */
function accepts(accept: string | undefined, type: string | undefined): boolean {
  if (accept === undefined || type === undefined) return false;
  return accept.split(',').some((each) => each.trim() === type);
}
