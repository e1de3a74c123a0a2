import type { User } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { useAccount } from '../../../session/account.ts';

export function UserTable({ users, onOpen }: { users: User[]; onOpen(user: User): void }) {
  const t = useMessages('users');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col">{t.rights}</th>
          <th scope="col">{t.source}</th>
          <th scope="col">{t.lastLogin}</th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <UserRow key={user.id} user={user} onOpen={() => onOpen(user)} />
        ))}
      </tbody>
    </table>
  );
}

function UserRow({ user, onOpen }: { user: User; onOpen(): void }) {
  const t = useMessages('users');
  const own = useAccount().id === user.id;
  return (
    <tr>
      <td>
        <button type="button" className={table.name} onClick={onOpen}>
          {user.username}
          {own && ` (${t.you})`}
        </button>
        {user.email && <span className={table.under}>{user.email}</span>}
      </td>
      <td>
        <span className={table.badges}>
          {user.disabled && <Badge tone="high">{t.disabled}</Badge>}
          {user.is_admin && <Badge tone="wait">{t.admin}</Badge>}
          {user.can_bypass_vuln_block && <Badge tone="unknown">{t.bypass}</Badge>}
          {user.must_change_password && <Badge tone="unknown">{t.mustChange}</Badge>}
        </span>
      </td>
      <td className={table.quiet} data-label={t.source}>
        {t.sources[user.auth_source]}
      </td>
      <td className={table.quiet} data-label={t.lastLogin}>
        {user.last_login_at ? <RelativeTime at={user.last_login_at} /> : t.never}
      </td>
    </tr>
  );
}
