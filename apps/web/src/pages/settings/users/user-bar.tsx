/** The actions for selected accounts: each begins after a delay for undo. */
import type { User } from '@portcullis/contract';
import { IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import { useRowActs } from '../../../kit/action/row-acts.ts';
import type { SelectedRows } from '../../../kit/table/selected-rows.ts';
import { SelectionBar } from '../../../kit/table/selection-bar.tsx';
import { useAccount } from '../../../session/account.ts';

export function UserBar({ users, selection }: { users: readonly User[]; selection: SelectedRows }) {
  const t = useMessages('bulk');
  const act = useRowActs();
  const { id: own } = useAccount();
  // Not the account that is signed in.
  const chosen = users.filter(({ id }) => selection.has(id) && id !== own);
  const enabled = chosen.filter(({ disabled }) => !disabled);
  const disabled = chosen.filter((user) => user.disabled);

  function change(accounts: readonly User[], body: { disabled: boolean }, message: string): void {
    act({
      name: 'users.update',
      requests: accounts.map(({ id }) => ({ params: { id }, body })),
      changes: 'users.list',
      message,
    });
    selection.clear();
  }

  return (
    <SelectionBar
      selection={selection}
      total={null}
      buttons={[
        {
          label: t.disable,
          icon: IconUserOff,
          danger: true,
          disabled: enabled.length === 0,
          run: () => change(enabled, { disabled: true }, t.usersPending.disable(enabled.length)),
        },
        {
          label: t.enable,
          icon: IconUserCheck,
          disabled: disabled.length === 0,
          run: () => change(disabled, { disabled: false }, t.usersPending.enable(disabled.length)),
        },
      ]}
    />
  );
}
