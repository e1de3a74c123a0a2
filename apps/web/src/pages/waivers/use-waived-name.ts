/** What a waiver accepts: a vulnerability, or the age or missing signatures of one image. */
import { AGE, SIGNATURE } from '@portcullis/domain';
import { useCallback } from 'react';
import { useMessages } from '../../i18n/messages.ts';

export function useWaivedName(): (vulnerability: string) => string {
  const { age, signatures } = useMessages('waivers');
  return useCallback(
    (vulnerability) => waivedName(vulnerability, { age, signatures }),
    [age, signatures],
  );
}

export function waivedName(
  vulnerability: string,
  { age, signatures }: Readonly<Record<'age' | 'signatures', string>>,
): string {
  if (vulnerability === AGE) return age;
  return vulnerability === SIGNATURE ? signatures : vulnerability;
}
