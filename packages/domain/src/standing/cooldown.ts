/**
 * Cooldown: an image waits for the hours that the policy asks for, from the moment at which this
 * installation first saw its digest. What the publisher wrote into it is no clock.
 */
import type { PolicyRules } from './policy.ts';

const HOUR_MS = 3_600_000;

export interface CooldownQuestion {
  policy: Pick<PolicyRules, 'minAgeHours'>;
  /** Null where it is unknown: that counts as now, because absence says nothing about an age. */
  sightedAt: Date | null;
  now: Date;
}

/** When the image has waited long enough; null where it need not wait any more. */
export function cooldownEnd({ policy, sightedAt, now }: CooldownQuestion): Date | null {
  if (policy.minAgeHours === 0) return null;
  const end = new Date((sightedAt ?? now).getTime() + policy.minAgeHours * HOUR_MS);
  return end > now ? end : null;
}

/** The moment of a wait in English, for sentences. */
export function waitText(until: Date): string {
  return `waits until ${until.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')} UTC`;
}
