/** The page *Robots*: the list of robots, and for administrators the trust rules. */
import { Button } from '@mantine/core';
import type { Robot } from '@portcullis/contract';
import { IconPlus, IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { PageHead } from '../../../kit/layout/page-head.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { useAccount } from '../../../session/account.ts';
import { useShortcut } from '../../../shell/shortcuts.ts';
import { allRobots } from '../all-entries.ts';
import { RobotDialog } from './robot-dialog.tsx';
import { RobotTokens } from './robot-tokens.tsx';
import { TrustRules } from './trust-rules.tsx';

type Shown = { what: 'edit' | 'tokens'; id: string } | { what: 'new' } | null;

export function Component() {
  const t = useMessages('robots');
  const { is_admin: isAdmin } = useAccount();
  const robots = useQuery(allRobots);
  const [shown, setShown] = useState<Shown>(null);
  useShortcut('n', t.newRobot, () => isAdmin && setShown({ what: 'new' }));
  const open = shown && 'id' in shown ? robots.data?.find(({ id }) => id === shown.id) : undefined;
  const close = () => setShown(null);
  const button = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setShown({ what: 'new' })}>
      {t.newRobot}
    </Button>
  );
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {robots.data?.length !== 0 && button}
      </PageHead>
      <QueryView query={robots}>
        {(all) =>
          all.length > 0 ? (
            <RobotTable robots={all} onOpen={setShown} />
          ) : (
            <EmptyState
              icon={IconRobot}
              title={t.emptyTitle}
              text={isAdmin ? t.emptyText : t.emptyForOthers}
            >
              {button}
            </EmptyState>
          )
        }
      </QueryView>
      {isAdmin && <TrustRules robots={robots.data ?? []} />}
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

function RobotTable({ robots, onOpen }: { robots: Robot[]; onOpen(shown: Shown): void }) {
  const t = useMessages('robots');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col">{t.owner}</th>
          <th scope="col">{t.tokens}</th>
          <th scope="col">{t.used}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {robots.map((robot) => (
          <RobotRow key={robot.id} robot={robot} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

function RobotRow({ robot, onOpen }: { robot: Robot; onOpen(shown: Shown): void }) {
  const t = useMessages('robots');
  const format = useFormat();
  const { is_admin: isAdmin } = useAccount();
  return (
    <tr>
      <td>
        <button
          type="button"
          className={table.name}
          onClick={() => onOpen({ what: 'tokens', id: robot.id })}
        >
          {robot.name}
        </button>{' '}
        {robot.disabled && <Badge tone="unknown">{t.disabled}</Badge>}{' '}
        {robot.can_bypass_vuln_block && <Badge tone="high">{t.bypass}</Badge>}
        {robot.description && <span className={table.under}>{robot.description}</span>}
      </td>
      <td data-label={t.owner}>{robot.owner?.name ?? t.administrators}</td>
      <td className={table.quiet} data-label={t.tokens}>
        {format.number(robot.tokens)}
      </td>
      <td className={table.quiet} data-label={t.used}>
        {robot.last_used_at ? <RelativeTime at={robot.last_used_at} /> : t.never}
      </td>
      <td className={table.tools}>
        {isAdmin && (
          <Button
            variant="default"
            size="xs"
            aria-label={`${t.edit}${format.colon}${robot.name}`}
            onClick={() => onOpen({ what: 'edit', id: robot.id })}
          >
            {t.edit}
          </Button>
        )}
      </td>
    </tr>
  );
}
