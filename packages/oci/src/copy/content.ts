/**
 * Interfaces of a copy: `Source` and `Target`. Pull, push, retag and mirror are all `copy(source,
 * reference, target)`. The verbs are those of the OCI distribution specification.
 */
import type { Descriptor } from '../model/descriptor.ts';
import type { Digest } from '../model/digest.ts';
import type { OciError } from '../oci-error.ts';
import type { TransferMethod } from './progress.ts';

export interface AbortOptions {
  signal?: AbortSignal | undefined;
}

export interface ResolveOptions extends AbortOptions {
  /** The caller fetches the manifest next, so an implementation may combine both requests. */
  fetching?: boolean | undefined;
}

export interface ExistsOptions extends AbortOptions {
  /**
   * The caller pushes the content if it is missing, so an implementation may open the upload in the
   * same request.
   */
  pushing?: boolean | undefined;
}

export interface FetchOptions extends AbortOptions {
  /**
   * First byte wanted. A source that cannot seek starts at 0 and reports that in `Content.offset`.
   */
  offset?: number | undefined;
  /** Number of bytes wanted. A source may return more. */
  length?: number | undefined;
}

/**
 * The bytes of one blob or manifest. A chunk is valid only until the next one is requested, because
 * its buffer may be reused. Breaking out of the loop, or `cancel`, releases the connection or file.
 */
export interface Content extends AsyncIterable<Uint8Array> {
  /** Position of the first byte returned. */
  readonly offset: number;
  cancel(): void;
}

export type OpenContent = (options: FetchOptions) => Promise<Content>;

export interface Resolver {
  /** Resolves a tag or digest to a descriptor. @throws not_found */
  resolve(reference: string, options?: ResolveOptions): Promise<Descriptor>;
}

export interface Fetcher {
  /** Opens a blob or a manifest. The bytes are not verified; see `verified`. @throws not_found */
  fetch(descriptor: Descriptor, options?: FetchOptions): Promise<Content>;
  /**
   * Moves a blob to a file without passing its bytes to the caller, on another thread; undefined
   * where that is not possible or not worth it.
   */
  mover?(descriptor: Descriptor): MoveBlob | undefined;
}

/** Writes the blob to the file as `writeBlob` does: resumes a partial one, and verifies it. */
export type MoveBlob = (path: string, options: MoveOptions) => Promise<void>;

/** Reads a file while the blob is written to it. */
export interface Follower {
  /** Of the seal, made by `createSealKey`. */
  key: Uint8Array;
  /** The file has the blob, with this seal. What another seal tells is of other bytes. */
  written(seal: Uint8Array): void;
  /** The file does not get all of the blob. */
  lost(): void;
}

export interface MoveOptions extends AbortOptions {
  onBytes?: PushOptions['onBytes'];
  follower?: Pick<Follower, 'key' | 'written'> | undefined;
  /** Called once the source serves the blob. */
  onOpened?: (() => void) | undefined;
  /** Called with bytes written, before more are read; throwing ends the move. */
  wrote?: ((bytes: number) => Promise<void>) | undefined;
}

export interface Pusher {
  exists(descriptor: Descriptor, options?: ExistsOptions): Promise<boolean>;
  /**
   * Stores content under its digest, atomically. `open` returns the bytes from an offset, so that
   * an implementation can resume or retry.
   */
  push(
    descriptor: Descriptor,
    open: (options: FetchOptions) => Promise<Content>,
    options?: PushOptions,
  ): Promise<void>;
}

export interface PushOptions extends AbortOptions {
  /** For a manifest: the tag to set in the same step. */
  tag?: string | undefined;
  /**
   * Called as bytes arrive: `moved` were transferred, `reused` and `mounted` were already at the
   * target.
   */
  onBytes?: ((bytes: number, method: TransferMethod) => void) | undefined;
  /**
   * Called before cached bytes (`kept`) are used in place of the source's; it checks that this
   * source serves the blob to us. Without the check, any account that knows a digest could obtain
   * the blob by naming it in a manifest.
   * @throws not_found; invalid `DIGEST_MISMATCH`
   */
  confirm?: ((kept: (options: FetchOptions) => Promise<Content>) => Promise<void>) | undefined;
  /** Called by a target that writes files, before the first byte, with the file of the blob. */
  onFile?: ((path: string) => Promise<Follower | null>) | undefined;
  /** The source's `mover`, which a target that writes files may use in place of `open`. */
  move?: MoveBlob | undefined;
}

export interface Mounter {
  /** Cross-repository mount; false if the registry declined. */
  mount(descriptor: Descriptor, from: string, options?: AbortOptions): Promise<boolean>;
}

export interface Tagger {
  tag(descriptor: Descriptor, tag: string, options?: AbortOptions): Promise<void>;
}

/**
 * Lists the referrers of a manifest (distribution spec 1.1: referrers API or the referrers tag
 * schema).
 */
export interface ReferrerLister {
  referrers(digest: Digest, options?: ReferrersOptions): Promise<Descriptor[]>;
}

export interface ReferrersOptions extends AbortOptions {
  /**
   * Called for each part of the list that can't be read; what can be read is returned. Without it
   * the error is thrown.
   */
  incomplete?: ((error: OciError) => void) | undefined;
}

export type Source = Resolver & Fetcher & Partial<ReferrerLister>;
export type Target = Resolver & Fetcher & Pusher & Tagger & Partial<Mounter>;
