/** What an account or a group may do, as a list of verbs. */
import type { FolderSummary } from '@portcullis/contract';
import { useFormat, useMessages } from '../../i18n/messages.ts';

type Rights = FolderSummary['rights'];

const ACTIONS = ['pull', 'push', 'pull_external', 'push_external'] as const;

/** Empty for no right. */
export function useRightsWords(): (rights: Rights) => string {
  const { actions } = useMessages('folders');
  const format = useFormat();
  return (rights) =>
    format.list(
      ACTIONS.filter((action) => rights[`can_${action}`]).map((action) => actions[action]),
    );
}
