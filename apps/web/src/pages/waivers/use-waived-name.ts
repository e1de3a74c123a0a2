/** What a waiver accepts: a vulnerability, or the age of one image. */
import { AGE } from '@portcullis/domain';
import { useCallback } from 'react';
import { useMessages } from '../../i18n/messages.ts';

export function useWaivedName(): (vulnerability: string) => string {
  const { age } = useMessages('waivers');
  return useCallback((vulnerability) => (vulnerability === AGE ? age : vulnerability), [age]);
}
