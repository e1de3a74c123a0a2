/** The client for our own requests to the built-in registry. */
import { isAppError, tooLarge } from '@portcullis/errors';
import { basicAuthorization } from '@portcullis/local-registry';
import { type Digest, MANIFEST_MEDIA_TYPES, OCI_INDEX, parseJson } from '@portcullis/oci';
import { z } from 'zod';
import { pathOf, type V2Route } from '../routes.ts';
import { createFairTurns } from './fair-turns.ts';
import { registryUnavailable } from './registry-fault.ts';
import { createRegistryFetch, type SmallRequest } from './registry-fetch.ts';
import { followRedirects, isRedirect, type Upstream } from './store-origins.ts';

export interface LocalRegistryClient {
  /** Unsorted; null for an unknown repository. @param account the one that waits for its turn */
  tags(repository: string, account: string): Promise<string[] | null>;
  /** The stored OCI index; null if there is none. */
  index(repository: string, tag: string): Promise<Buffer | null>;
  /** Whether the manifest exists. */
  has(repository: string, digest: string): Promise<boolean>;
  hasBlob(repository: string, digest: Digest): Promise<boolean>;
  /**
   * In bytes; null if it is missing or the size is unknown: the next request reports the failure.
   */
  sizeOf(repository: string, kind: 'blob' | 'manifest', digest: Digest): Promise<number | null>;
  close(): void;
}

const Tags = z.object({ tags: z.custom<unknown[]>(Array.isArray).nullable() });

/** Listing tags of a large repository takes seconds. */
const LIST_MS = 30_000;
/** About a million tags. */
const LIST_BYTES = 32 * 1024 * 1024;
/** Each holds all tags of a repository in memory. */
const LISTS_AT_ONCE = 4;

interface Question {
  accept: string;
  method?: string;
  timeoutMs?: number;
  /** Null for any reply but a success. */
  lenient?: boolean;
}

/** All throw unavailable `REGISTRY_UNAVAILABLE`, `REGISTRY_REDIRECT_REFUSED`. */
export function createRegistryClient(
  { registry, storeOrigins }: Upstream,
  answerMs: number,
): LocalRegistryClient {
  const rule = { registryUrl: registry.base, storeOrigins };
  const requests = createRegistryFetch(registry);
  const authorization = basicAuthorization(registry);

  /** Credentials go to the registry only. */
  async function follow(first: URL, init: SmallRequest): Promise<Response> {
    const ask = (url: URL) => {
      const login = url.origin === registry.base.origin && authorization;
      const headers = { ...init.headers, ...(login && { authorization: login }) };
      return requests.fetch(url, { ...init, headers });
    };
    const redirects = {
      locationOf: ({ status, headers }: Response) =>
        isRedirect(status) ? { location: headers.get('location') } : null,
      discard: (answer: Response) => answer.body?.cancel(),
      ask,
    };
    const found = await followRedirects({ answer: await ask(first), url: first }, redirects, rule);
    return found.answer;
  }

  async function ask<T>(
    path: string,
    { accept, method = 'GET', timeoutMs = answerMs, lenient = false }: Question,
    read: (answer: Response) => Promise<T> | T,
  ): Promise<T | null> {
    const url = new URL(path, registry.base);
    try {
      const init = { method, headers: { accept }, signal: AbortSignal.timeout(timeoutMs) };
      const answer = await follow(url, init);
      if (answer.ok) return await read(answer);
      await answer.body?.cancel();
      if (answer.status === 404 || lenient) return null;
      throw new Error(`the registry answered ${answer.status}`);
    } catch (cause) {
      if (isAppError(cause)) throw cause;
      throw registryUnavailable(cause);
    }
  }
  const at = (route: V2Route) => pathOf(route);
  const question = { accept: 'application/json', timeoutMs: LIST_MS };
  const tagsOf = (repository: string) =>
    ask(at({ kind: 'tags', repository }), question, async (answer) => {
      const page = Tags.parse(await parseJson(await readBounded(answer)));
      return (page.tags ?? []).filter((tag) => typeof tag === 'string');
    });
  const listing = createFairTurns(LISTS_AT_ONCE);

  return {
    tags: (repository, account) => listing(account, () => tagsOf(repository)),
    index: (repository, reference) =>
      ask(at({ kind: 'manifest', repository, reference }), { accept: OCI_INDEX }, indexIn),
    async has(repository, reference) {
      const request = { method: 'HEAD', accept: MANIFEST_MEDIA_TYPES.join() };
      return (
        (await ask(at({ kind: 'manifest', repository, reference }), request, () => true)) ?? false
      );
    },
    async hasBlob(repository, digest) {
      const request = { method: 'HEAD', accept: '*/*' };
      return (await ask(at({ kind: 'blob', repository, digest }), request, () => true)) ?? false;
    },
    async sizeOf(repository, kind, digest) {
      const route: V2Route =
        kind === 'blob' ? { kind, repository, digest } : { kind, repository, reference: digest };
      const accept = kind === 'blob' ? '*/*' : MANIFEST_MEDIA_TYPES.join();
      return ask(at(route), { method: 'HEAD', accept, lenient: true }, sizeIn);
    },
    close: () => requests.close(),
  };
}

async function readBounded({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > LIST_BYTES)
      throw tooLarge('SIZE_INVALID', 'the repository has too many tags to list them');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function sizeIn({ headers }: Response): number | null {
  const stated = headers.get('content-length');
  return stated !== null && /^\d+$/.test(stated) ? Number(stated) : null;
}

async function indexIn(answer: Response): Promise<Buffer | null> {
  if (answer.headers.get('content-type') === OCI_INDEX)
    return Buffer.from(await answer.arrayBuffer());
  await answer.body?.cancel();
  return null;
}
