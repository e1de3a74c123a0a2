/** Room on the disk for blobs, asked for before each is written and looked at while it is. */
import type { Content, FetchOptions, Mounter, Target } from '../copy/content.ts';
import { isManifestType } from '../model/media-type.ts';

export interface SpaceClaims {
  /** Sets bytes aside. @throws unavailable where the disk hasn't that much to give */
  claim(bytes: number): Promise<SpaceClaim>;
}

export interface SpaceClaim {
  /** So many of the bytes are on the disk now. @throws as `claim`, where others have filled it meanwhile */
  wrote(bytes: number): Promise<void>;
  release(): void;
}

/** Looked at so often: a thousand megabytes are sixty looks. */
const LOOK_EVERY_BYTES = 16 * 1024 * 1024;

type Open = (options: FetchOptions) => Promise<Content>;

/** The same content, of which each look at the disk is taken between two chunks. */
export function withinClaim(open: Open, claim: SpaceClaim): Open {
  return async (options) => {
    const content = await open(options);
    return { ...content, [Symbol.asyncIterator]: () => looking(content, claim) };
  };
}

/** A target on the disk, which is a registry's storage: each blob asks for its room. */
export function withSpaceClaims(target: Target & Mounter, space: SpaceClaims): Target & Mounter {
  return {
    ...target,
    async push(descriptor, open, options) {
      if (isManifestType(descriptor.mediaType)) return target.push(descriptor, open, options);
      const claim = await space.claim(descriptor.size);
      try {
        await target.push(descriptor, withinClaim(open, claim), options);
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
