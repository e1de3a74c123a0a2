/** What is known of the signatures of a digest, from all places that they were read from. */
import type { SignatureFact, SignatureFacts } from '@portcullis/domain';

/** As one place has them. Times may be texts: a document of JSON has no others. */
export interface FoundFacts extends Omit<SignatureFacts, 'checkedAt'> {
  checkedAt: Date | string;
  /** Of the digest itself, not of an index that lists it. */
  isOwn: boolean;
}

/**
 * A signature counts wherever it was found. Where those of the digest itself were not read, those
 * of an index that lists it don't say that there are no others: only who signed is known of them.
 */
export function mergedFacts(found: readonly FoundFacts[]): SignatureFacts | null {
  const own = found.filter(({ isOwn }) => isOwn);
  const read = own.length > 0 ? own : found;
  const facts = found.flatMap((each) => each.facts.map(withDates));
  const newest = newestAsked(read);
  const current = facts.filter(
    ({ authority, authorityVersion }) => authorityVersion === newest.get(authority),
  );
  const signed = new Set(current.flatMap((each) => (each.verified ? each.authority : [])));
  if (own.length === 0 && signed.size === 0) return null;
  const asked = [...newest].filter(([name]) => own.length > 0 || signed.has(name));
  return {
    facts: [...new Map(current.map((fact) => [JSON.stringify(fact), fact])).values()],
    askedOf: Object.fromEntries(asked),
    unread: read.reduce((sum, { unread }) => sum + unread, 0),
    isComplete: read.every(({ isComplete }) => isComplete),
    checkedAt: new Date(Math.max(...read.map(({ checkedAt }) => Number(new Date(checkedAt))))),
  };
}

function newestAsked(found: readonly FoundFacts[]): Map<string, number> {
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
