/** The page *Robots*: the list of robots, and for administrators the trust rules. */
import type { Robot } from '@portcullis/contract';
import { IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { NewButton } from '../../../kit/action/new-button.tsx';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { useWholeList, type WholeList } from '../../../kit/list/use-whole-list.ts';
import { EntriesBar } from '../../../kit/selection/entries-bar.tsx';
import { entryKey, entryName } from '../../../kit/selection/entry.ts';
import { useAccount } from '../../../session/account.ts';
import { allRobots } from '../all-entries.ts';
import { type ShownRobot, useRobotColumns } from './robot-columns.tsx';
import { RobotDialog } from './robot-dialog.tsx';
import { RobotTokens } from './robot-tokens.tsx';
import { TrustRules } from './trust-rules.tsx';

const ROBOTS: WholeList<Robot> = {
  keyOf: entryKey,
  nameOf: entryName,
  values: {
    name: entryName,
    owner: ({ owner }) => owner?.name ?? null,
    tokens: ({ tokens }) => tokens,
    last_used_at: ({ last_used_at }) => last_used_at,
  },
  first: 'name',
};

const ENABLING = {
  operation: 'robots.update',
  body: (enabled: boolean) => ({ disabled: !enabled }),
  isEnabled: ({ disabled }: Robot) => !disabled,
  danger: true,
} as const;

export function Component() {
  const t = useMessages('robots');
  const rows = useMessages('rowActs');
  const { is_admin: isAdmin } = useAccount();
  const robots = useQuery(allRobots);
  const rules = useAnswer('trusts.list', undefined, { enabled: isAdmin });
  // Shown at once: the one that comes later would move the other.
  const { error, isError, refetch } = robots;
  const data = rules.isLoading ? undefined : robots.data;
  const [shown, setShown] = useState<ShownRobot | { what: 'new' } | null>(null);
  const open = shown && 'id' in shown ? robots.data?.find(({ id }) => id === shown.id) : undefined;
  const close = () => setShown(null);
  const button = isAdmin && (
    <NewButton onClick={() => setShown({ what: 'new' })}>{t.newRobot}</NewButton>
  );
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {robots.data?.length !== 0 && button}
      </PageHead>
      <ListView
        list={useWholeList({ data, error, isError, refetch }, ROBOTS)}
        columns={useRobotColumns(setShown)}
        selects={isAdmin}
        empty={
          <EmptyState
            icon={IconRobot}
            title={t.emptyTitle}
            text={isAdmin ? t.emptyText : t.emptyForOthers}
          >
            {button}
          </EmptyState>
        }
      >
        {(list) => (
          <EntriesBar
            list={list}
            words={rows.robots}
            changes="robots.list"
            remove="robots.remove"
            enabling={ENABLING}
          />
        )}
      </ListView>
      {isAdmin && (data || isError) && <TrustRules robots={data ?? []} />}
      {shown?.what === 'new' && (
        <RobotDialog
          robot={null}
          onClose={close}
          onMade={(id) => setShown({ what: 'tokens', id })}
        />
      )}
      {open && shown?.what === 'edit' && (
        <RobotDialog key={open.id} robot={open} onClose={close} onMade={close} />
      )}
      {open && shown?.what === 'tokens' && <RobotTokens robot={open} onClose={close} />}
    </>
  );
}
