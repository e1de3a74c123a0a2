/** Says why no folder is offered as a destination. */
import { useMessages } from '../../i18n/messages.ts';
import { useMirrorFolders } from './mirror-folders.ts';

export function useNoPushable(): string {
  const t = useMessages('push');
  return useMirrorFolders().size > 0 ? t.onlyMirrors : t.noFolders;
}
