/** What is known of the signatures of a digest, from all places that they were read from. */
import type { SignatureFact, SignatureFacts } from '@portcullis/domain';

/** As one place has them. Times may be texts: a document of JSON has no others. */
interface ReadFacts extends Omit<SignatureFacts, 'checkedAt'> {
  checkedAt: Date | string;
  /** Of the digest itself, not of an index that lists it. */
  isOwn: boolean;
  /** Of another registry, which is asked again after a change. */
  isAwaited: boolean;
}

/** Without a time it was never read. */
export type FoundFacts = Omit<ReadFacts, 'checkedAt'> & {
  checkedAt: ReadFacts['checkedAt'] | null;
};

/**
 * A signature counts wherever it was found. Where those of the digest itself were not read, those
 * of an index that lists it don't say that there are no others: only who signed is known of them.
 * Neither does anything, as long as a registry is still to be asked.
 */
export function mergedFacts(places: readonly FoundFacts[]): SignatureFacts | null {
  const found = places.filter(isRead);
  const own = found.filter(({ isOwn }) => isOwn);
  const read = own.length > 0 ? own : found;
  const facts = found.flatMap((each) => each.facts.map(withDates));
  const newest = newestAsked(read);
  const current = facts.filter(
    ({ authority, authorityVersion }) => authorityVersion === newest.get(authority),
  );
  const signed = new Set(verifiedIn(current).map(({ authority }) => authority));
  if (own.length === 0 && signed.size === 0) return null;
  const awaited = places.filter(({ isAwaited }) => isAwaited);
  const lacking = notKept(awaited, current);
  const asked = [...newest].filter(
    ([name, version]) =>
      (signed.has(name) && !lacking.has(name)) ||
      (own.length > 0 && awaited.every(({ askedOf }) => askedOf[name] === version)),
  );
  return {
    facts: [...new Map(current.map((fact) => [JSON.stringify(fact), fact])).values()],
    askedOf: Object.fromEntries(asked),
    unread: read.reduce((sum, { unread }) => sum + unread, 0),
    isComplete: read.every(({ isComplete }) => isComplete),
    checkedAt: new Date(Math.max(...read.map(({ checkedAt }) => Number(new Date(checkedAt))))),
  };
}

/** The authorities of which these places had what verified, such as an attestation of a type. */
function notKept(places: readonly FoundFacts[], current: readonly SignatureFact[]): Set<string> {
  const kept = new Set(verifiedIn(current).map(kindOf));
  const had = verifiedIn(places.flatMap(({ facts }) => facts));
  return new Set(had.flatMap((fact) => (kept.has(kindOf(fact)) ? [] : fact.authority)));
}

function verifiedIn(facts: readonly SignatureFact[]): SignatureFact[] {
  return facts.filter(({ verified }) => verified !== null);
}

function kindOf({ authority, predicateType }: SignatureFact): string {
  return JSON.stringify([authority, predicateType]);
}

function isRead(place: FoundFacts): place is ReadFacts {
  return place.checkedAt !== null;
}

function newestAsked(found: readonly ReadFacts[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const { askedOf } of found)
    for (const [name, version] of Object.entries(askedOf))
      newest.set(name, Math.max(newest.get(name) ?? 0, version));
  return newest;
}

function withDates(fact: SignatureFact): SignatureFact {
  const { verified } = fact;
  if (!verified) return fact;
  const { at, until } = verified;
  const dates = { at: at && new Date(at), until: until && new Date(until) };
  return { ...fact, verified: { ...verified, ...dates } };
}
