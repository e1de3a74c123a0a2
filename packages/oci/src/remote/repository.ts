/** Repository of a registry (distribution spec), as a source and a target. */

import { contentOf, readWhole } from '../copy/buffered.ts';
import type {
  AbortOptions,
  Content,
  ExistsOptions,
  Fetcher,
  FetchOptions,
  Mounter,
  MoveBlob,
  OpenContent,
  Pusher,
  PushOptions,
  ReferrerLister,
  ReferrersOptions,
  ResolveOptions,
  Resolver,
  Tagger,
} from '../copy/content.ts';
import { sizeMismatch } from '../copy/content-errors.ts';
import { withErrorSide } from '../copy/error-side.ts';
import type { Descriptor } from '../model/descriptor.ts';
import { type Digest, parseDigest } from '../model/digest.ts';
import { assertSize } from '../model/manifest.ts';
import { isManifestType } from '../model/media-type.ts';
import { isTag, parseReference, parseRepository, parseTag } from '../model/reference.ts';
import { repositoryScope } from './auth/scope.ts';
import { createRegistryClient, type RegistryOptions } from './client.ts';
import { download } from './download.ts';
import { readAll } from './follow-pages.ts';
import { isRetryableStatus } from './http/retry.ts';
import {
  type FetchedManifest,
  getManifest,
  getManifestBytes,
  type ManifestAccess,
  manifestExists,
  putManifest,
  resolveManifest,
} from './manifests.ts';
import { mountSupport } from './mount-support.ts';
import { catalogListing, type ListPage, type ListPageOptions, readPage } from './page.ts';
import { listReferrers } from './referrers.ts';
import { createReferrersRecorder, type RecordReferrer } from './referrers-recorder.ts';
import { isKind, registryError } from './registry-error.ts';
import { removeManifest, removeTag } from './removal.ts';
import { upload } from './upload.ts';
import { locationOf } from './upload-session.ts';

export interface RepositoryOptions extends RegistryOptions {
  /**
   * The referrers that the caller records, of a registry that lists none: no list of them is kept
   * under a tag then.
   */
  recorded?: ((subject: Digest) => Promise<Descriptor[]>) | undefined;
  repository: string;
}

export interface Repository extends Resolver, Fetcher, Pusher, Tagger, Mounter, ReferrerLister {
  /** Fetches a manifest. @throws not_found */
  manifest(reference: string, options?: AbortOptions): Promise<FetchedManifest>;
  /** Deletes a manifest with all its tags. @throws not_found; conflict `DELETE_UNSUPPORTED` */
  remove(digest: Digest, options?: AbortOptions): Promise<void>;
  /** Deletes a tag, not its manifest. @throws not_found; conflict `DELETE_UNSUPPORTED` */
  removeTag(tag: string, options?: AbortOptions): Promise<void>;
  tags(options?: ListPageOptions): Promise<ListPage>;
  /** Lists all tags, across pages. */
  allTags(options?: AbortOptions): Promise<string[]>;
  /** Lists the repositories of the registry. Many registries do not support this. */
  catalog(options?: ListPageOptions): Promise<ListPage>;
}

/** Cached manifests: a resolved or pushed manifest is usually fetched or tagged next. */
const MAX_REMEMBERED = 64;

/** @throws invalid `NAME_INVALID`; an invalid host is reported on first use */
export function remoteRepository(options: RepositoryOptions): Repository {
  return new RemoteRepository(options);
}

class RemoteRepository implements Repository {
  readonly #name: string;
  readonly #client: ReturnType<typeof createRegistryClient>;
  readonly #retry: RepositoryOptions['transport']['retry'];
  readonly #transport: RepositoryOptions['transport'];
  readonly #mounts: ReturnType<typeof mountSupport>;
  readonly #known = new Map<Digest, FetchedManifest>();
  /** Upload sessions that the registry opened when it declined a mount. */
  readonly #begun = new Map<Digest, URL>();
  readonly #record: RecordReferrer | null;
  readonly #recorded: RepositoryOptions['recorded'];

  constructor(options: RepositoryOptions) {
    this.#name = parseRepository(options.repository);
    this.#client = createRegistryClient(options);
    this.#retry = options.transport.retry;
    this.#transport = options.transport;
    this.#mounts = mountSupport(options);
    this.#record = options.recorded ? null : createReferrersRecorder();
    this.#recorded = options.recorded;
  }

  async resolve(
    reference: string,
    { signal, fetching = false }: ResolveOptions = {},
  ): Promise<Descriptor> {
    if (fetching) return (await this.manifest(reference, { signal })).descriptor;
    return resolveManifest(this.#reading(signal), parseReference(reference));
  }

  async fetch(descriptor: Descriptor, options: FetchOptions = {}): Promise<Content> {
    const { offset = 0, signal } = options;
    const digest = parseDigest(descriptor.digest);
    if (isManifestType(descriptor.mediaType)) {
      assertSize(descriptor.size);
      const known = this.#known.get(digest)?.bytes;
      const bytes = known ?? (await getManifestBytes(this.#reading(signal), digest));
      // The digest matches, so the descriptor is wrong and a retry cannot help.
      if (bytes.byteLength !== descriptor.size) throw sizeMismatch(descriptor);
      return contentOf(bytes, options);
    }
    if (offset > 0 && offset === descriptor.size) return contentOf(new Uint8Array(offset), options);
    return download(
      {
        client: this.#client,
        path: `${this.#name}/blobs/${digest}`,
        scopes: this.#pull(),
        descriptor,
        retry: this.#retry,
      },
      options,
    );
  }

  mover({ mediaType, digest, size }: Descriptor): MoveBlob | undefined {
    const { moving } = this.#transport;
    if (!moving?.movers.takes(size) || isManifestType(mediaType)) return undefined;
    const path = `${this.#name}/blobs/${parseDigest(digest)}`;
    const descriptor = { mediaType, digest, size };
    return async (file, options) => {
      const session = await withErrorSide('source', () => this.#client.session(options.signal));
      const blob = { parts: moving.parts, session, path, scopes: this.#pull(), descriptor };
      await moving.movers.move(blob, file, options);
    };
  }

  async exists(
    descriptor: Descriptor,
    { signal, pushing = false }: ExistsOptions = {},
  ): Promise<boolean> {
    const digest = parseDigest(descriptor.digest);
    if (isManifestType(descriptor.mediaType))
      return manifestExists(this.#reading(signal), descriptor);
    if (pushing && this.#mounts.isKnown() && !this.#begun.has(digest)) {
      const there = await this.mount(descriptor, this.#name, { signal });
      if (there || this.#begun.has(digest)) return there;
      this.#mounts.forget();
    }
    const path = `${this.#name}/blobs/${digest}`;
    const answer = await this.#client.send({ method: 'HEAD', path, scopes: this.#pull(), signal });
    if (answer.status === 404) return false;
    if (answer.status === 200) return hasSize(answer.headers['content-length'], descriptor.size);
    throw registryError(answer, `the blob ${digest}`);
  }

  async push(descriptor: Descriptor, open: OpenContent, options: PushOptions = {}): Promise<void> {
    if (isManifestType(descriptor.mediaType)) return this.#pushManifest(descriptor, open, options);
    const session = this.#begun.get(descriptor.digest);
    this.#begun.delete(descriptor.digest);
    await upload({
      client: this.#client,
      repository: this.#name,
      scopes: this.#push(),
      descriptor,
      open,
      options,
      retry: this.#retry,
      session,
    });
  }

  async mount(
    descriptor: Descriptor,
    from: string,
    { signal }: AbortOptions = {},
  ): Promise<boolean> {
    const query = new URLSearchParams({ mount: descriptor.digest, from: parseRepository(from) });
    const path = `${this.#name}/blobs/uploads/?${query}`;
    const scopes = [...this.#push(), repositoryScope(from, 'pull')];
    const answer = await this.#client
      .send({ method: 'POST', path, scopes, signal })
      .catch((error: unknown) => unlessRefused(error));
    if (answer?.status === 201) {
      this.#mounts.confirm();
      return true;
    }
    if (answer?.status === 202) this.#begun.set(descriptor.digest, locationOf(answer));
    if (answer && isRetryableStatus(answer.status))
      throw registryError(answer, `the blob ${descriptor.digest}`);
    return false;
  }

  async tag(descriptor: Descriptor, tag: string, { signal }: AbortOptions = {}): Promise<void> {
    const { mediaType, digest, size } = descriptor;
    const known = this.#known.get(digest)?.bytes;
    const bytes = known ?? (await getManifestBytes(this.#reading(signal), digest));
    await putManifest(this.#writing(signal), parseTag(tag), {
      bytes,
      descriptor: { mediaType, digest, size },
    });
  }

  async manifest(reference: string, { signal }: AbortOptions = {}): Promise<FetchedManifest> {
    const manifest = await getManifest(this.#reading(signal), parseReference(reference));
    this.#remember(manifest);
    return manifest;
  }

  remove(digest: Digest, { signal }: AbortOptions = {}): Promise<void> {
    return removeManifest(this.#deleting(signal), parseDigest(digest));
  }

  removeTag(tag: string, { signal }: AbortOptions = {}): Promise<void> {
    return removeTag(this.#deleting(signal), parseTag(tag));
  }

  async referrers(digest: Digest, options: ReferrersOptions = {}): Promise<Descriptor[]> {
    const { signal, incomplete } = options;
    const recorded = (await this.#recorded?.(digest)) ?? [];
    const listed = await listReferrers(this.#reading(signal), parseDigest(digest), incomplete);
    return [...new Map([...listed, ...recorded].map((each) => [each.digest, each])).values()];
  }

  tags(options: ListPageOptions = {}): Promise<ListPage> {
    return readPage(this.#tagListing(), options);
  }

  allTags({ signal }: AbortOptions = {}): Promise<string[]> {
    return readAll(this.#tagListing(), { limit: 1000, signal });
  }

  catalog(options: ListPageOptions = {}): Promise<ListPage> {
    return readPage(catalogListing(this.#client), options);
  }

  async #pushManifest(
    descriptor: Descriptor,
    open: OpenContent,
    options: PushOptions,
  ): Promise<void> {
    const { signal, onBytes, tag } = options;
    assertSize(descriptor.size);
    const bytes = await readWhole(await open({ signal }), descriptor);
    const manifest = { descriptor, bytes };
    const reference = tag === undefined ? descriptor.digest : parseTag(tag);
    const answer = await putManifest(this.#writing(signal), reference, manifest);
    onBytes?.(bytes.byteLength, 'moved');
    this.#remember(manifest);
    await this.#record?.(this.#writing(signal), answer, manifest);
  }

  #remember(manifest: FetchedManifest): void {
    this.#known.delete(manifest.descriptor.digest);
    this.#known.set(manifest.descriptor.digest, manifest);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_REMEMBERED && oldest) this.#known.delete(oldest);
  }

  #reading(signal: AbortSignal | undefined): ManifestAccess {
    return { client: this.#client, repository: this.#name, scopes: this.#pull(), signal };
  }

  #writing(signal: AbortSignal | undefined): ManifestAccess {
    return { client: this.#client, repository: this.#name, scopes: this.#push(), signal };
  }

  #deleting(signal: AbortSignal | undefined): ManifestAccess {
    const scopes = [repositoryScope(this.#name, 'pull', 'push', 'delete')];
    return { client: this.#client, repository: this.#name, scopes, signal };
  }

  #pull(): string[] {
    return [repositoryScope(this.#name, 'pull')];
  }

  #push(): string[] {
    return [repositoryScope(this.#name, 'pull', 'push')];
  }

  #tagListing() {
    const path = `${this.#name}/tags/list`;
    return {
      client: this.#client,
      path,
      scopes: this.#pull(),
      field: 'tags',
      isName: isTag,
      what: `the tags of ${this.#name}`,
    };
  }
}

/** A missing `Content-Length` is accepted. */
function hasSize(stated: string | undefined, size: number): boolean {
  return stated === undefined || Number(stated) === size;
}

/** Without the right to read the other repository the blob is uploaded instead. */
function unlessRefused(error: unknown): undefined {
  if (isKind(error, 'unauthenticated') || isKind(error, 'forbidden')) return undefined;
  throw error;
}
