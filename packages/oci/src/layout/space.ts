/**
 * Disk space claims: space for a blob is reserved before it is written and checked while it is
 * written.
 */
import type { Content, Mounter, MoveBlob, OpenContent, Target } from '../copy/content.ts';
import type { Digest } from '../model/digest.ts';
import { isManifestType } from '../model/media-type.ts';

export interface SpaceClaims {
  /** Reserves space for a blob. @throws unavailable if the disk has too little */
  claim(bytes: number, digest: Digest): Promise<SpaceClaim>;
}

export interface SpaceClaim {
  /** Reports bytes written. @throws as `claim`, if other writers have filled the disk meanwhile */
  wrote(bytes: number): Promise<void>;
  release(): void;
}

/** Interval of the checks: about sixty per gigabyte. */
const LOOK_EVERY_BYTES = 16 * 1024 * 1024;

/** The same content; the disk is checked between two chunks. */
export function withinClaim(open: OpenContent, claim: SpaceClaim): OpenContent {
  return async (options) => {
    const content = await open(options);
    return { ...content, [Symbol.asyncIterator]: () => looking(content, claim) };
  };
}

/** The same move; the disk is checked while it writes. */
export function movingWithin(move: MoveBlob, claim: SpaceClaim): MoveBlob {
  return (path, options) => move(path, { ...options, wrote: (bytes) => claim.wrote(bytes) });
}

/** Wraps a target whose storage is on a local disk: each blob claims its space first. */
export function withSpaceClaims(target: Target & Mounter, space: SpaceClaims): Target & Mounter {
  return {
    ...target,
    async push(descriptor, open, options) {
      if (isManifestType(descriptor.mediaType)) return target.push(descriptor, open, options);
      const claim = await space.claim(descriptor.size, descriptor.digest);
      const move = options?.move && movingWithin(options.move, claim);
      try {
        await target.push(descriptor, withinClaim(open, claim), { ...options, move });
      } finally {
        claim.release();
      }
    },
  };
}

async function* looking(content: Content, claim: SpaceClaim): AsyncGenerator<Uint8Array> {
  let fresh = 0;
  for await (const chunk of content) {
    yield chunk;
    fresh += chunk.byteLength;
    if (fresh < LOOK_EVERY_BYTES) continue;
    await claim.wrote(fresh);
    fresh = 0;
  }
}
