/** What a mirror is in words: its upstream, its login, and what the account may do. */
import type { MirrorSummary, MirrorView } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';

function upstreamName({ host, prefix }: Pick<MirrorSummary, 'host' | 'prefix'>): string {
  return prefix === '' ? host : `${host}/${prefix}`;
}

export function useMirrorWords() {
  const t = useMessages('mirror');
  return (mirror: MirrorView) => ({
    upstream: t.mirrors(upstreamName(mirror)),
    login: mirror.registry_name === null ? t.noLogin : t.loginOf(mirror.registry_name),
    rights: mirror.may_bring_in ? t.mayBringIn : t.mayPull,
  });
}
