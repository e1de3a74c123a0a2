import { Button } from '@mantine/core';
import type { Group } from '@portcullis/contract';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import table from '../../../kit/table/table.module.css';
import { useShortcut } from '../../../shell/shortcuts.ts';
import { allGroups } from '../all-entries.ts';
import { GroupDialog } from './group-dialog.tsx';

export function Component() {
  const t = useMessages('groups');
  const groups = useQuery(allGroups);
  const [shown, setShown] = useState<string | 'new' | null>(null);
  useShortcut('n', t.newGroup, () => setShown('new'));
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setShown('new')}>
      {t.newGroup}
    </Button>
  );
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {groups.data?.length !== 0 && button}
      </PageHead>
      <QueryView query={groups}>
        {(all) =>
          all.length > 0 ? (
            <GroupTable groups={all} onOpen={setShown} />
          ) : (
            <EmptyState icon={IconUsersGroup} title={t.emptyTitle} text={t.emptyText}>
              {button}
            </EmptyState>
          )
        }
      </QueryView>
      {shown && (
        <GroupDialog
          group={groups.data?.find(({ id }) => id === shown) ?? null}
          onClose={() => setShown(null)}
          onMade={setShown}
        />
      )}
    </>
  );
}

function GroupTable({ groups, onOpen }: { groups: Group[]; onOpen(id: string): void }) {
  const t = useMessages('groups');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col">{t.members}</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ id, name, description, members }) => (
          <tr key={id}>
            <td>
              <button type="button" className={table.name} onClick={() => onOpen(id)}>
                {name}
              </button>
              {description && <span className={table.under}>{description}</span>}
            </td>
            <td className={table.quiet} data-label={members.length > 0 ? t.members : undefined}>
              <Members members={members} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const NAMED = 4;

function Members({ members }: Pick<Group, 'members'>) {
  const t = useMessages('groups');
  const format = useFormat();
  if (members.length === 0) return t.noMembers;
  if (members.length > NAMED) {
    const first = members.slice(0, NAMED).map(({ username }) => username);
    return `${t.memberCount(members.length)}${format.colon}${first.join(', ')} …`;
  }
  return format.list(members.map(({ username }) => username));
}
