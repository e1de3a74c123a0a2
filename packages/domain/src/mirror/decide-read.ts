/**
 * What a read of a manifest in a mirror leads to: it is served from here, the upstream is asked
 * first, a digest is brought in, or it is refused. Two pure steps, before and after the upstream
 * was asked; the pull gate then decides about what is served, as in any folder.
 */
import type { ErrorKind } from '@portcullis/errors';
import {
  type MirrorTag,
  sourceOfHere,
  type UpstreamAnswer,
  type UpstreamFault,
} from './mirror-tag.ts';

export interface MirrorRead {
  kind: 'tag' | 'digest';
  /** The digest that the reference leads to here; null where it is not here. */
  here: string | null;
  /** What was kept of earlier checks. */
  tag: MirrorTag | null;
  /** Of a tag: it never changes once it is here. */
  isImmutable: boolean;
  /** The settings of the mirror let its repository be brought in. */
  isAllowed: boolean;
  /** Whether the account may bring in. */
  mayBringIn: boolean;
  folder: string;
}

/** Why what is served is not what the upstream has; `null` where it is, or nothing is known. */
export type Behind =
  | { because: 'other_digest'; upstreamDigest: string }
  | { because: 'withdrawn' | 'unanswered'; fault: UpstreamFault };

interface MirrorRefusal {
  step: 'refuse';
  kind: ErrorKind & ('not_found' | 'unavailable');
  code: 'MIRROR_NOT_ALLOWED' | 'MIRROR_FORBIDDEN' | 'MANIFEST_UNKNOWN' | 'MIRROR_UPSTREAM';
  message: string;
}

export type MirrorStep =
  /** `bringIn`: a newer digest of the upstream, in the background. */
  | { step: 'serve'; behind: Behind | null; bringIn: string | null }
  /** The client waits for it. */
  | { step: 'bring_in'; digest: string }
  | MirrorRefusal;

const SERVE: MirrorStep = { step: 'serve', behind: null, bringIn: null };

/** The step that needs no answer, or `ask`. */
export function beforeAsking(read: MirrorRead): MirrorStep | { step: 'ask' } {
  const { kind, here, tag, isImmutable, isAllowed } = read;
  if (here !== null && (kind === 'digest' || isImmutable || !isAllowed)) return SERVE;
  if (here === null && !isAllowed) return notAllowed(read);
  if (here === null && !read.mayBringIn) return forbidden(read);
  const known = tag && !tag.isDue ? answerIn(tag) : null;
  // What a tag that is not here had no answer to is asked each time.
  if (!known || (here === null && 'fault' in known)) return { step: 'ask' };
  return afterAsking(read, known);
}

function answerIn({ upstreamDigest, fault }: MirrorTag): UpstreamAnswer | null {
  if (fault) return { fault };
  return upstreamDigest === null ? null : { digest: upstreamDigest };
}

export function afterAsking(read: MirrorRead, answer: UpstreamAnswer): MirrorStep {
  const { here, tag } = read;
  if ('fault' in answer) return here === null ? refused(answer.fault) : served(answer.fault);
  const { digest } = answer;
  if (here === null) return { step: 'bring_in', digest };
  if (sourceOfHere(here, tag) === digest) return SERVE;
  const behind = { because: 'other_digest', upstreamDigest: digest } as const;
  return { step: 'serve', behind, bringIn: digest };
}

function served(fault: UpstreamFault): MirrorStep {
  const because = fault.gone ? ('withdrawn' as const) : ('unanswered' as const);
  return { step: 'serve', behind: { because, fault }, bringIn: null };
}

function refused({ message, gone }: UpstreamFault): MirrorRefusal {
  return gone
    ? { step: 'refuse', kind: 'not_found', code: 'MANIFEST_UNKNOWN', message }
    : { step: 'refuse', kind: 'unavailable', code: 'MIRROR_UPSTREAM', message };
}

function notAllowed({ folder }: MirrorRead): MirrorRefusal {
  const message = `this image is not here, and the mirror ${folder} does not bring in its repository`;
  return { step: 'refuse', kind: 'not_found', code: 'MIRROR_NOT_ALLOWED', message };
}

function forbidden({ folder }: MirrorRead): MirrorRefusal {
  const message = `this image is not here; accounts with can_pull_external on the folder ${folder} may bring it in`;
  return { step: 'refuse', kind: 'not_found', code: 'MIRROR_FORBIDDEN', message };
}
