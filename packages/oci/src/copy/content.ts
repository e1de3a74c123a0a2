/**
 * The ports of the mover. Pull, push, retag and transfer are all `copy(source, reference, target)` over these.
 * The verbs are those of the OCI distribution specification.
 */
import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import type { TransferMethod } from './progress.ts';

export interface AbortOptions {
  signal?: AbortSignal | undefined;
}

export interface ResolveOptions extends AbortOptions {
  /** The manifest is fetched next: a medium may do both in one step. */
  fetching?: boolean | undefined;
}

export interface ExistsOptions extends AbortOptions {
  /** What isn't there is pushed next: a medium may begin with that in the same step. */
  pushing?: boolean | undefined;
}

export interface FetchOptions extends AbortOptions {
  /** First byte wanted; a medium that can't seek starts at 0 and says so in `Content.offset`. */
  offset?: number | undefined;
  /** So many bytes are enough; a medium may give more. */
  length?: number | undefined;
}

/**
 * The bytes of one blob or manifest. A chunk is valid only until the next one is asked for: the medium may reuse
 * its buffer. Breaking out of the loop, or `cancel`, releases the connection or file.
 */
export interface Content extends AsyncIterable<Uint8Array> {
  /** Position of the first byte that will be read. */
  readonly offset: number;
  cancel(): void;
}

export interface Resolver {
  /** The descriptor a tag or digest stands for. @throws not_found */
  resolve(reference: string, options?: ResolveOptions): Promise<Descriptor>;
}

export interface Fetcher {
  /** Opens a blob or a manifest. The bytes are not verified yet; see `verified`. @throws not_found */
  fetch(descriptor: Descriptor, options?: FetchOptions): Promise<Content>;
}

export interface Pusher {
  exists(descriptor: Descriptor, options?: ExistsOptions): Promise<boolean>;
  /**
   * Stores content under its digest; whole or not at all. `open` gives the bytes from an offset, so that a medium
   * can ask for the rest only (resume), or again (retry).
   */
  push(
    descriptor: Descriptor,
    open: (options: FetchOptions) => Promise<Content>,
    options?: PushOptions,
  ): Promise<void>;
}

export interface PushOptions extends AbortOptions {
  /** Of a manifest: the tag to set in the same step. */
  tag?: string | undefined;
  /** Called with bytes as they arrive: `moved` crossed the wire, `reused` and `mounted` did not have to. */
  onBytes?: ((bytes: number, method: TransferMethod) => void) | undefined;
  /**
   * Asked before bytes that came from elsewhere (`kept`) stand in for the source's: does the source have the blob, for
   * us? Without it, whoever knows a digest could have another account's blob by naming it in a manifest.
   * @throws not_found; invalid `DIGEST_MISMATCH`
   */
  confirm?: ((kept: (options: FetchOptions) => Promise<Content>) => Promise<void>) | undefined;
}

export interface Mounter {
  /** Cross-repository mount; false where the registry would not. */
  mount(descriptor: Descriptor, from: string, options?: AbortOptions): Promise<boolean>;
}

export interface Tagger {
  tag(descriptor: Descriptor, tag: string, options?: AbortOptions): Promise<void>;
}

/** Lists what refers to a manifest (distribution spec 1.1, referrers API or its tag-schema fall-back). */
export interface ReferrerLister {
  referrers(digest: Digest, options?: AbortOptions): Promise<Descriptor[]>;
}

export type Source = Resolver & Fetcher & Partial<ReferrerLister>;
export type Target = Resolver & Fetcher & Pusher & Tagger & Partial<Mounter>;
