/** When the audit log says that a tag goes on serving its last good image: once for each change. */
import { isHeldBack } from './bring-in.ts';
import type { Behind } from './decide-read.ts';
import type { BringIn, MirrorTag } from './mirror-tag.ts';

export interface HeldChange {
  because: 'other_digest' | 'withdrawn';
  /** The digest that is held back; null where the upstream has withdrawn the tag. */
  upstreamDigest: string | null;
  /** Why it is; null where the upstream has withdrawn the tag. */
  code: string | null;
}

/** What the tag keeps of a change that was recorded. */
export function markOf({ because, upstreamDigest }: HeldChange): string {
  return upstreamDigest ?? because;
}

/** Null where nothing is held back, it was recorded, or the new image is still on its way. */
export function heldChange(
  behind: Behind,
  { tag, job }: { tag: MirrorTag | null; job: BringIn | null },
): HeldChange | null {
  const change = changeOf(behind, { tag, job });
  return change && tag?.announced !== markOf(change) ? change : null;
}

function changeOf(
  behind: Behind,
  { tag, job }: { tag: MirrorTag | null; job: BringIn | null },
): HeldChange | null {
  switch (behind.because) {
    case 'unanswered':
      return null;
    case 'withdrawn':
      return { because: 'withdrawn', upstreamDigest: null, code: null };
    case 'other_digest': {
      const { because, upstreamDigest } = behind;
      if (!isHeldBack(job, upstreamDigest, tag)) return null;
      return { because, upstreamDigest, code: job?.error?.code ?? 'TOO_YOUNG' };
    }
  }
}
