/** Defines the columns of accounts. */
import type { User } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import type { Column } from '../../../kit/table/columns.ts';
import { defineColumns } from '../../../kit/table/define-columns.ts';
import table from '../../../kit/table/table.module.css';
import { timeColumn } from '../../../kit/table/time-column.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { useAccount } from '../../../session/account.ts';

export const useUserColumns = defineColumns(
  'users',
  (t, _, onOpen: (user: User) => void): Column<User>[] => [
    {
      title: t.name,
      sort: 'username',
      cell: (user) => <UserName user={user} onOpen={() => onOpen(user)} />,
    },
    { id: 'rights', title: t.rights, width: '32%', cell: (user) => <UserRights user={user} /> },
    {
      title: t.source,
      sort: 'auth_source',
      label: t.source,
      className: table.quiet,
      width: '16%',
      cell: ({ auth_source }) => t.sources[auth_source],
    },
    timeColumn('last_login_at', t.lastLogin, { label: t.lastLogin, width: '18%', none: t.never }),
  ],
);

function UserName({ user, onOpen }: { user: User; onOpen(): void }) {
  const t = useMessages('users');
  const own = useAccount().id === user.id;
  return (
    <>
      <button type="button" className={table.name} onClick={onOpen}>
        {user.username}
        {own && ` (${t.you})`}
      </button>
      {user.email && <span className={table.under}>{user.email}</span>}
    </>
  );
}

function UserRights({ user }: { user: User }) {
  const t = useMessages('users');
  return (
    <span className={table.badges}>
      {user.disabled && <Badge tone="high">{t.disabled}</Badge>}
      {user.is_admin && <Badge tone="wait">{t.admin}</Badge>}
      {user.can_bypass_vuln_block && <Badge tone="unknown">{t.bypass}</Badge>}
      {user.must_change_password && <Badge tone="unknown">{t.mustChange}</Badge>}
    </span>
  );
}
