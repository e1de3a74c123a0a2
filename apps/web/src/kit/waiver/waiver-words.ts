/** A waiver in words: its scope, and who allows what until when. */
import type { Waiver } from '@portcullis/contract';
import { useCallback } from 'react';
import { type Format, type Messages, useMessages, useWords } from '../../i18n/messages.ts';

type Scope = Pick<Waiver, 'package' | 'package_version' | 'folder' | 'repository' | 'digest'>;

const DIGEST_CHARACTERS = 19;

export function useScopeText(): (scope: Scope) => string {
  const [t, format] = useWords('waiverWords');
  return useCallback((scope) => scopeText(scope, t, format), [t, format]);
}

/** "package openssl 3.0.11 and folder team"; every term has to match. */
export function scopeText(
  { package: name, package_version: version, folder, repository, digest }: Scope,
  t: Messages['waiverWords'],
  format: Pick<Format, 'list'>,
): string {
  const parts = [
    name !== null && t.package(version === null ? name : `${name} ${version}`),
    folder !== null && t.folder(folder),
    repository !== null && t.repository(repository),
    digest !== null && t.digest(`${digest.slice(0, DIGEST_CHARACTERS)}…`),
  ].filter((part) => part !== false);
  return parts.length === 0 ? t.everywhere : format.list(parts);
}

/** "Allowed by mira until 21 Dec 2026", or "Waiver requested by dev". */
export function useWaiverSentence(): (waiver: Waiver) => string {
  const t = useMessages('waiverWords');
  const allowed = useAllowedText();
  return (waiver) => {
    const { in_force, approvals, requested_by, expires_at: until } = waiver;
    if (!in_force) return t.requested(requested_by.username ?? t.deletedAccount);
    return allowed({ approved_by: approvals.map(({ username }) => username), until });
  };
}

interface Allowance {
  approved_by: readonly (string | null)[];
  until: string;
}

export function useAllowedText(): (allowance: Allowance) => string {
  const [t, format] = useWords('waiverWords');
  return ({ approved_by: names, until }) => {
    const day = format.date(until);
    if (names.length === 0) return t.allowedUntil(day);
    return t.allowed(format.list(names.map((name) => name ?? t.deletedAccount)), day);
  };
}
