/**
 * Standings in memory, by digest and place. A change of reports drops its digests, any other change
 * drops everything, and a standing is dropped at the moment its input says that it may change.
 */
import {
  type JudgedImage,
  type JudgedSubject,
  type PassRecord,
  type Policy,
  validUntilOf,
} from '@portcullis/domain';
import type { DigestFacts } from '@portcullis/store';
import { LRUCache } from 'lru-cache';

/** An image of the local registry. */
export interface ImageInFolder extends JudgedImage {
  folder: string;
}

export interface JudgedImageInFolder {
  image: ImageInFolder;
  policy: Policy;
  subject: JudgedSubject;
  record: PassRecord | null;
  /** What the standing was made from; null without a report. */
  report: Pick<NonNullable<DigestFacts['report']>, 'scannedAt' | 'scanner'> | null;
  judgedAt: Date;
}

type Load = (image: ImageInFolder) => Promise<JudgedImageInFolder>;
type FolderJudgements = Map<string, CachedJudgement>;

interface CachedJudgement {
  judging: Promise<JudgedImageInFolder>;
  /** Null until it is loaded. */
  judged: JudgedImageInFolder | null;
  until: number;
}

const MOST_DIGESTS = 20_000;
const MOST_FOLDERS = 100;
/** Also bounds what a lost message could keep. */
const REMEMBERED_MS = 60_000;

export interface StandingCache {
  find(image: ImageInFolder): Promise<JudgedImageInFolder>;
  /** Drops these digests; null: all. */
  forget(digests: readonly string[] | null): void;
  /** Replaces a judgement, unless another load has replaced it meanwhile. */
  update(before: JudgedImageInFolder, judged: JudgedImageInFolder): void;
}

export function createStandingCache(
  load: Load,
  { live, now }: { live(): boolean; now(): Date },
): StandingCache {
  const known = new LRUCache<string, FolderJudgements>({ max: MOST_DIGESTS });

  /** Single flight; a load that a change overtook is not kept. */
  function keep(image: ImageInFolder): Promise<JudgedImageInFolder> {
    const judgements: FolderJudgements = known.get(image.digest) ?? new Map();
    if (judgements.size >= MOST_FOLDERS) judgements.clear();
    const key = keyOf(image);
    const until = now().getTime() + REMEMBERED_MS;
    const cached: CachedJudgement = { judging: load(image), judged: null, until };
    judgements.set(key, cached);
    known.set(image.digest, judgements);
    cached.judging.then(
      (judged) => {
        cached.judged = judged;
        cached.until = Math.min(cached.until, validUntil(judged));
      },
      () => {
        if (judgements.get(key) === cached) judgements.delete(key);
      },
    );
    return cached.judging;
  }

  return {
    async find(image) {
      if (!live()) return load(image);
      const cached = known.get(image.digest)?.get(keyOf(image));
      return cached && now().getTime() < cached.until ? cached.judging : keep(image);
    },
    forget(digests) {
      if (!digests) known.clear();
      else for (const digest of digests) known.delete(digest);
    },
    update(before, judged) {
      const cached = known.get(judged.image.digest)?.get(keyOf(judged.image));
      if (cached?.judged !== before) return;
      cached.judging = Promise.resolve(judged);
      cached.judged = judged;
    },
  };
}

function keyOf({ folder, repository }: ImageInFolder): string {
  return `${folder} ${repository}`;
}

function validUntil({ subject }: JudgedImageInFolder): number {
  const end = validUntilOf(subject);
  return end ? end.getTime() : Number.POSITIVE_INFINITY;
}
