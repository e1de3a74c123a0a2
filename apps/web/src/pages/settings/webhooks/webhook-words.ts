/** Kinds of events and ends of attempts in words. */
import type { Webhook } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { sortedKinds } from './webhook-kinds.ts';

const MOST_NAMED = 3;

/** The first kinds by name, and the number of the others. */
export function useKindsText(): (kinds: Webhook['kinds']) => string {
  const t = useMessages('webhooks');
  return (kinds) => {
    if (kinds.length === 0) return t.allKinds;
    const names = sortedKinds(kinds).map((kind) => t.kinds[kind]);
    const more = names.length - MOST_NAMED;
    const shown = more > 0 ? [...names.slice(0, MOST_NAMED), t.moreKinds(more)] : names;
    return shown.join(' · ');
  };
}

/** A kind of a delivery; one of a newer server as it is. */
export function useKindText(): (kind: string) => string {
  const names: Record<string, string> = useMessages('webhooks').kinds;
  return (kind) => names[kind] ?? kind;
}

/** How an attempt ended. */
export function useAttemptText(): (end: { status: number | null; code: string | null }) => string {
  const t = useMessages('webhooks');
  const codes: Record<string, string> = t.codes;
  return ({ status, code }) => {
    const http = status === null ? null : `HTTP ${status}`;
    const words = code === null ? null : (codes[code] ?? code);
    return [words, http].filter((part) => part !== null).join(' · ');
  };
}
