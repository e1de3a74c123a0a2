/**
 * Keeps what is optional (referrers, cosign tags) from deciding over the image: a part that can't
 * be copied is left behind and named, and the copy goes on. A copy that requires its referrers
 * fails instead.
 */
import { conflict, isOciError, unavailable } from '../oci-error.ts';

export interface LeftBehind {
  /** `list`: the referrers of the manifest `name` could not be listed, or only in part. */
  kind: 'referrer' | 'tag' | 'list';
  /** A digest; of a tag its name. */
  name: string;
  code: string;
  message: string;
}

type Part = Pick<LeftBehind, 'kind' | 'name'>;

export interface Optional {
  readonly isRequired: boolean;
  readonly left: readonly LeftBehind[];
  /** Runs what concerns one optional part; undefined where the part is left behind. */
  attempt<T>(part: Part, work: () => Promise<T>): Promise<T | undefined>;
  /** @throws the error where the referrers are required, and any error that is no answer */
  leave(part: Part, error: unknown): void;
}

/** After so many parts in a row that cost all retries, no further part is requested. */
const MAX_UNANSWERED = 3;
/** The same for all referrers that failed: any client may list thousands that do not exist. */
const MAX_FAILED = 100;

export function createOptional({
  isRequired,
  signal,
}: {
  isRequired: boolean;
  signal: AbortSignal;
}): Optional {
  const left = new Map<string, LeftBehind>();
  let unanswered = 0;
  let failed = 0;
  function leave({ kind, name }: Part, error: unknown): void {
    signal.throwIfAborted();
    if (isRequired || !isOciError(error)) throw error;
    const { code, message } = error;
    const key = `${kind} ${name}`;
    if (!left.has(key)) left.set(key, { kind, name, code, message });
  }
  return {
    isRequired,
    get left() {
      return [...left.values()];
    },
    leave,
    async attempt(part, work) {
      try {
        if (unanswered >= MAX_UNANSWERED || failed >= MAX_FAILED) throw notRequested();
        const done = await work();
        unanswered = 0;
        return done;
      } catch (error) {
        if (part.kind === 'referrer') failed += 1;
        if (isUnanswered(error)) unanswered += 1;
        leave(part, error);
        return undefined;
      }
    },
  };
}

function isUnanswered(error: unknown): boolean {
  return isOciError(error) && (error.kind === 'unavailable' || error.kind === 'rate_limited');
}

function notRequested() {
  return unavailable(
    'REFERRERS_NOT_REQUESTED',
    'it was not requested, because too many earlier requests for referrers failed',
  );
}

export function runnableReferrer(name: string) {
  return conflict(
    'REFERRER_IS_IMAGE',
    `the referrer ${name} is an image, which needs a pull and a scan of its own`,
  );
}
