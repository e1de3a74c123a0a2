/**
 * Lets an image pass before it is old enough where the policy of its folder says so for what it
 * fixes of the image that its tag leads to now. It leaves a waiver of its age behind, so that every
 * door decides alike also after the tag has moved.
 */
import { AGE, ageOf, fixedIn, type JudgedImage } from '@portcullis/domain';
import { systemEvent } from '@portcullis/events';
import type { PolicyWaiver, Store } from '@portcullis/store';
import type { GateRules } from '../rules.ts';

export interface AgeFixesPorts {
  rules(): Promise<Pick<GateRules, 'policyOf' | 'waivers' | 'feeds'>>;
  store: {
    reports: Pick<Store['reports'], 'facts'>;
    images: Pick<Store['images'], 'digestOf'>;
    waivers: Pick<Store['waivers'], 'insertByPolicy'>;
  };
  /** The next decision of every process follows the waiver. */
  changed(): Promise<void>;
  now(): Date;
}

interface Entering {
  image: JudgedImage & { folder: string };
  tag: string;
  /** The account that the waiver is listed for. */
  byId: string;
}

export interface AgeFixes {
  /** Call before the gate decides about an image that is to get this tag. */
  note(entering: Entering): Promise<void>;
}

export function createAgeFixes({ rules, store, changed, now }: AgeFixesPorts): AgeFixes {
  async function wantedFor({ image, tag, byId }: Entering): Promise<Given | null> {
    const { policyOf, waivers, feeds } = await rules();
    const { folder, repository, digest } = image;
    const policy = policyOf({ folder });
    if (policy.minAgeHours === 0 || policy.unlessFixes === 'none') return null;
    const before = await store.images.digestOf(repository, tag);
    if (before === null || before === digest) return null;
    const known = await store.reports.facts([before, digest]);
    const [one, other] = [known.get(before)?.report, known.get(digest)?.report];
    if (!one || !other) return null;
    const at = now();
    const sightedAt = known.get(digest)?.sightedAt ?? null;
    const { waitsUntil } = ageOf({ policy, sightedAt, waivers, image, now: at });
    if (waitsUntil === null) return null;
    const compared = { before: { digest: before, facts: one.facts }, after: other.facts };
    const fixes = fixedIn({ policy, ...compared, waivers, feeds, image, now: at });
    if (fixes.length === 0) return null;
    const of = { vulnerability: AGE, digest, folder, expiresAt: waitsUntil, requestedById: byId };
    return { waiver: { ...of, fixes }, policy: policy.name, before };
  }

  return {
    async note(entering) {
      const given = await wantedFor(entering);
      if (given === null) return;
      const event = (id: string) => givenEvent(id, given, entering);
      if (await store.waivers.insertByPolicy(given.waiver, event)) await changed();
    },
  };
}

interface Given {
  waiver: PolicyWaiver;
  /** Its name. */
  policy: string;
  /** The digest that the tag leads to. */
  before: string;
}

const MOST_FIXES = 20;

function givenEvent(id: string, { waiver, policy, before }: Given, { image, tag }: Entering) {
  const { vulnerability, digest, folder, fixes, expiresAt } = waiver;
  return systemEvent({
    event: 'waiver.approved',
    outcome: 'success',
    actor: { id: null, name: 'gate' },
    action: 'approve',
    resource: { kind: 'waiver', id, name: vulnerability, folder },
    detail: {
      ...{ by_policy: policy, digest, before, repository: image.repository, tag },
      ...{ fixes: fixes.slice(0, MOST_FIXES), expires_at: expiresAt.toISOString() },
    },
  });
}
