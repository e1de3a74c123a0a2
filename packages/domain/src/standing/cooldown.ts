/**
 * Cooldown: an image waits for the hours that the policy asks for, from the moment at which this
 * installation first saw its digest. What the publisher wrote into it is no clock.
 */
import { AGE, type JudgedImage, missOf, type Waiver } from '../waivers/waiver.ts';
import type { PolicyRules } from './policy.ts';

const HOUR_MS = 3_600_000;

export interface AgeQuestion {
  policy: Pick<PolicyRules, 'minAgeHours'>;
  /** Null where it is unknown: that counts as now, because absence says nothing about an age. */
  sightedAt: Date | null;
  /** May contain waivers of vulnerabilities and of other scopes. */
  waivers: readonly Waiver[];
  image: JudgedImage;
  now: Date;
}

export interface ImageAge {
  /** Until when its age alone keeps the image from passing; null: it does not. */
  waitsUntil: Date | null;
  /** The waiver without which it would wait. `until`: its end, or that of the wait if sooner. */
  ageWaiver: { waiverId: string; until: Date } | null;
}

export function ageOf(question: AgeQuestion): ImageAge {
  const end = cooldownEnd(question);
  if (end === null) return { waitsUntil: null, ageWaiver: null };
  const { waivers, image, now } = question;
  const [covering] = waivers
    .filter((each) => each.vulnerability === AGE && missOf(each, ANY_PACKAGE, image, now) === null)
    .sort((one, other) => other.expiresAt.getTime() - one.expiresAt.getTime());
  if (!covering) return { waitsUntil: end, ageWaiver: null };
  const { id: waiverId, expiresAt } = covering;
  const until = new Date(Math.min(Number(expiresAt), Number(end)));
  return { waitsUntil: null, ageWaiver: { waiverId, until } };
}

const ANY_PACKAGE = { package: '', installedVersion: '' };

/** When the image has waited long enough; null where it need not wait any more. */
function cooldownEnd({ policy, sightedAt, now }: AgeQuestion): Date | null {
  if (policy.minAgeHours === 0) return null;
  const end = new Date((sightedAt ?? now).getTime() + policy.minAgeHours * HOUR_MS);
  return end > now ? end : null;
}

/** The moment of a wait in English, for sentences. */
export function waitText(until: Date): string {
  return `waits until ${minuteText(until)}`;
}

/** A moment in messages. */
export function minuteText(moment: Date): string {
  return `${moment.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')} UTC`;
}
