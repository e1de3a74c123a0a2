/** Masks secrets in settings, and keeps the stored secret where the mask is sent back. */
import { type FieldFault, fieldFault, MASK } from '@portcullis/contract';
import {
  mapSecrets,
  NETWORK_SECRETS,
  type NetworkSection,
  type NetworkSettings,
} from '@portcullis/domain';
import { fieldsInvalid } from '../../http/problem.ts';

export function masked<S extends NetworkSection>(
  section: S,
  settings: NetworkSettings[S],
): NetworkSettings[S] {
  return mapSecrets(section, settings, section === 'proxy' ? maskedUrl : () => MASK);
}

/** Only the password of a proxy URL is secret. */
function maskedUrl(text: string): string {
  return text.replace(/^([a-z]+:\/\/)?([^:@]*):(.*)@/i, `$1$2:${MASK}@`);
}

/**
 * Applies `change` to the settings in force; a masked secret is kept.
 * @throws invalid for a mask without a stored secret
 */
export function mergeSecrets<S extends NetworkSection>(
  section: S,
  inForce: NetworkSettings[S],
  change: Partial<NetworkSettings[S]>,
): NetworkSettings[S] {
  const shown = masked(section, inForce);
  const given = { ...change };
  const faults: FieldFault[] = [];
  for (const field of NETWORK_SECRETS[section]) {
    const value = given[field];
    if (typeof value !== 'string' || !value.includes(MASK)) continue;
    if (value === shown[field]) delete given[field];
    else
      faults.push(
        fieldFault(
          String(field),
          'SECRET_UNKNOWN',
          'The value is masked, but no such secret is stored.',
        ),
      );
  }
  if (faults.length > 0) throw fieldsInvalid(faults);
  return { ...inForce, ...given };
}
