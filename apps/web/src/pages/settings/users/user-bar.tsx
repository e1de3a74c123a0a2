/** The actions for selected accounts: each begins after a delay for undo. */
import type { User } from '@portcullis/contract';
import { IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { page } from '../../../api/api.ts';
import { everyPage } from '../../../api/every-page.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';
import { SelectionBar } from '../../../kit/table/selection-bar.tsx';
import { useChosenRows } from '../../../kit/table/use-chosen-rows.ts';
import { useAccount } from '../../../session/account.ts';
import { userKey } from './user-table.tsx';

interface UserBarProps {
  /** The loaded ones. */
  users: readonly User[];
  /** What the list is searched for. */
  words: string;
  selection: SelectedRows;
  /** How many match. */
  total: number;
}

export function UserBar({ users, words, selection, total }: UserBarProps) {
  const t = useMessages('rowActs');
  const act = useRowActs();
  const { id: own } = useAccount();
  const { chosen, isPending, start } = useChosenRows(selection, {
    rows: users,
    keyOf: userKey,
    all: () => allUsers(words),
  });

  const change = (disabled: boolean) =>
    start((found) => {
      const accounts = found.filter(changeTo(disabled, own));
      act({
        name: 'users.update',
        requests: accounts.map(({ id }) => ({ params: { id }, body: { disabled } })),
        changes: 'users.list',
        message: t.users[disabled ? 'disable' : 'enable'](accounts.length),
      });
    });
  const isIdle = (disabled: boolean) =>
    isPending || !(selection.everything || chosen.some(changeTo(disabled, own)));
  return (
    <SelectionBar
      selection={selection}
      total={total}
      buttons={[
        {
          label: t.disable,
          icon: IconUserOff,
          danger: true,
          disabled: isIdle(true),
          run: () => change(true),
        },
        {
          label: t.enable,
          icon: IconUserCheck,
          disabled: isIdle(false),
          run: () => change(false),
        },
      ]}
    />
  );
}

/** Not the account that is signed in. */
function changeTo(disabled: boolean, own: string): (user: User) => boolean {
  return (user) => user.id !== own && user.disabled !== disabled;
}

function allUsers(words: string): Promise<User[]> {
  return everyPage((query) => page('users.list', { query: { q: words.trim(), ...query } }));
}
