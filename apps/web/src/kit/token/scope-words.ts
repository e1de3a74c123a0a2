/** The scope of a token in words. */
import type { TokenScope } from '@portcullis/contract';
import { useMessages, useWords } from '../../i18n/messages.ts';

export function useScopeWords(): (scope: TokenScope) => string {
  const { scopes } = useMessages('account');
  const [t, format] = useWords('tokenScope');
  return (scope) => {
    if (typeof scope === 'string') return scopes[scope];
    const { folders, actions, api, registry } = scope;
    const doors = [...(registry ? [scopes.docker] : []), ...(api ? [scopes.api] : [])];
    return [
      format.list(doors),
      folders === 'all' ? t.allFolders : format.list(folders),
      actions === 'all' ? t.allActions : actions.map((action) => t.actionNames[action]).join(', '),
    ].join('\u00a0· ');
  };
}
