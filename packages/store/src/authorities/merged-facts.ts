/** What is known of the signatures of a digest, from all places that they were read from. */
import type { SignatureFact, SignatureFacts } from '@portcullis/domain';

interface FoundFacts extends SignatureFacts {
  /** Of the digest itself, not of an index that lists it. */
  isOwn: boolean;
}

/**
 * A signature counts wherever it was found. Null where nobody read those of the digest itself:
 * those of an index alone don't say that there are no others.
 */
export function mergedFacts(found: readonly FoundFacts[]): SignatureFacts | null {
  const own = found.filter(({ isOwn }) => isOwn);
  if (own.length === 0) return null;
  const askedOf = newestAsked(own);
  const facts = found.flatMap((each) => each.facts.map(withDate));
  const current = facts.filter((fact) => fact.authorityVersion === askedOf[fact.authority]);
  return {
    facts: [...new Map(current.map((fact) => [JSON.stringify(fact), fact])).values()],
    askedOf,
    unread: own.reduce((sum, { unread }) => sum + unread, 0),
    isComplete: own.every(({ isComplete }) => isComplete),
    checkedAt: new Date(Math.max(...own.map(({ checkedAt }) => checkedAt.getTime()))),
  };
}

function newestAsked(found: readonly FoundFacts[]): Record<string, number> {
  const newest: Record<string, number> = {};
  for (const { askedOf } of found)
    for (const [name, version] of Object.entries(askedOf))
      newest[name] = Math.max(newest[name] ?? 0, version);
  return newest;
}

/** A column of JSON has times as texts. */
function withDate(fact: SignatureFact): SignatureFact {
  const { verified } = fact;
  if (!verified?.at) return fact;
  return { ...fact, verified: { ...verified, at: new Date(verified.at) } };
}
