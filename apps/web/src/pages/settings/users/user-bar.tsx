/** The actions for selected accounts: each begins after a delay for undo. */
import type { User } from '@portcullis/contract';
import { IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import type { SelectableList } from '../../../kit/list/list.ts';
import { EntryBar } from '../../../kit/selection/entry-bar.tsx';
import { useAccount } from '../../../session/account.ts';

export function UserBar({ list }: { list: SelectableList<User> }) {
  const t = useMessages('rowActs');
  const act = useRowActs();
  const { id: own } = useAccount();
  const change = (disabled: boolean) => ({
    // Not the account that is signed in.
    appliesTo: (user: User) => user.id !== own && user.disabled !== disabled,
    run: (found: readonly User[]) =>
      act({
        name: 'users.update',
        requests: found.map(({ id }) => ({ params: { id }, body: { disabled } })),
        changes: 'users.list',
        message: t.users[disabled ? 'disable' : 'enable'](found.length),
      }),
  });
  return (
    <EntryBar
      list={list}
      acts={[
        { label: t.disable, icon: IconUserOff, danger: true, ...change(true) },
        { label: t.enable, icon: IconUserCheck, ...change(false) },
      ]}
    />
  );
}
