/**
 * Standings in memory, by digest and place. A change of reports drops its digests, any other change
 * drops everything, and a standing is dropped at the moment its input says that it may change.
 */
import type { JudgedImage, JudgedSubject, PassRecord, Policy } from '@portcullis/domain';
import type { DigestFacts } from '@portcullis/store';
import { LRUCache } from 'lru-cache';

/** An image of the local registry. */
export interface ImageInFolder extends JudgedImage {
  folder: string;
}

export interface JudgedPlace {
  image: ImageInFolder;
  policy: Policy;
  subject: JudgedSubject;
  record: PassRecord | null;
  /** What the standing was made from; null without a report. */
  report: Pick<NonNullable<DigestFacts['report']>, 'scannedAt' | 'scanner'> | null;
  judgedAt: Date;
}

type Load = (image: ImageInFolder) => Promise<JudgedPlace>;
type Places = Map<string, KnownPlace>;

interface KnownPlace {
  judging: Promise<JudgedPlace>;
  /** Null until it is loaded. */
  judged: JudgedPlace | null;
  until: number;
}

const MOST_DIGESTS = 20_000;
const MOST_PLACES = 100;
/** Also bounds what a lost message could keep. */
const REMEMBERED_MS = 60_000;

export interface StandingCache {
  find(image: ImageInFolder): Promise<JudgedPlace>;
  /** Drops these digests; null: all. */
  forget(digests: readonly string[] | null): void;
  /** Replaces a judgement, unless another load has replaced it meanwhile. */
  update(before: JudgedPlace, judged: JudgedPlace): void;
}

export function createStandingCache(
  load: Load,
  { live, now }: { live(): boolean; now(): Date },
): StandingCache {
  const known = new LRUCache<string, Places>({ max: MOST_DIGESTS });

  /** Single flight; a load that a change overtook is not kept. */
  function keep(image: ImageInFolder): Promise<JudgedPlace> {
    const places: Places = known.get(image.digest) ?? new Map();
    if (places.size >= MOST_PLACES) places.clear();
    const key = keyOf(image);
    const until = now().getTime() + REMEMBERED_MS;
    const place: KnownPlace = { judging: load(image), judged: null, until };
    places.set(key, place);
    known.set(image.digest, places);
    place.judging.then(
      (judged) => {
        place.judged = judged;
        place.until = Math.min(place.until, validUntil(judged));
      },
      () => {
        if (places.get(key) === place) places.delete(key);
      },
    );
    return place.judging;
  }

  return {
    async find(image) {
      if (!live()) return load(image);
      const place = known.get(image.digest)?.get(keyOf(image));
      return place && now().getTime() < place.until ? place.judging : keep(image);
    },
    forget(digests) {
      if (!digests) known.clear();
      else for (const digest of digests) known.delete(digest);
    },
    update(before, judged) {
      const place = known.get(judged.image.digest)?.get(keyOf(judged.image));
      if (place?.judged !== before) return;
      place.judging = Promise.resolve(judged);
      place.judged = judged;
    },
  };
}

function keyOf({ folder, repository }: ImageInFolder): string {
  return `${folder} ${repository}`;
}

function validUntil({ subject }: JudgedPlace): number {
  const end = subject.kind === 'image' ? subject.standing?.validUntil : null;
  return end ? end.getTime() : Number.POSITIVE_INFINITY;
}
