/** The list of trust rules, and the check of a token. */
import { Button } from '@mantine/core';
import type { Robot, TrustRuleView } from '@portcullis/contract';
import { IconPlus, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ask } from '../../../api/api.ts';
import { type Messages, useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import { entryKey, entryName } from '../../../kit/selection/entry.ts';
import { useSelectable } from '../../../kit/selection/use-selectable.ts';
import type { SortValues } from '../../../kit/table/column-order.ts';
import type { Column } from '../../../kit/table/columns.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import { useColumnOrder } from '../../../kit/table/use-column-order.ts';
import { useScopeWords } from '../../../kit/token/scope-words.ts';
import { usedColumn } from '../../../kit/token/used-column.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { linesOf } from './conditions.ts';
import classes from './robots.module.css';
import { TrustBar } from './trust-bar.tsx';
import { TrustDialog } from './trust-dialog.tsx';
import { TrustTestPanel } from './trust-test.tsx';

export function TrustRules({ robots }: { robots: Robot[] }) {
  const t = useMessages('trusts');
  const rules = useQuery(ask('trusts.list'));
  const [shown, setShown] = useState<TrustRuleView | 'new' | null>(null);
  const button = (
    <Button
      leftSection={<IconPlus size={16} />}
      disabled={robots.length === 0}
      onClick={() => setShown('new')}
    >
      {t.newRule}
    </Button>
  );
  return (
    <div className={classes.trusts}>
      <Panel
        title={t.title}
        description={t.lead}
        actions={rules.data?.length ? button : null}
        flush
      >
        <QueryView query={rules} rows={2}>
          {(all) =>
            all.length > 0 ? (
              <RuleTable rules={all} onOpen={setShown} />
            ) : (
              <EmptyState icon={IconShieldCheck} title={t.emptyTitle} text={t.emptyText}>
                {button}
              </EmptyState>
            )
          }
        </QueryView>
      </Panel>
      {rules.data && rules.data.length > 0 && <TrustTestPanel />}
      {shown && (
        <TrustDialog
          rule={shown === 'new' ? null : shown}
          robots={robots}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  );
}

interface RuleTableProps {
  rules: TrustRuleView[];
  /** The same in each render. */
  onOpen(rule: TrustRuleView): void;
}

const VALUES: SortValues<TrustRuleView> = {
  name: ({ name }) => name,
  robot: ({ robot }) => robot.name,
  last_used_at: ({ last_used_at }) => last_used_at,
};

function RuleTable({ rules, onOpen }: RuleTableProps) {
  const { rows: ordered, sorting } = useColumnOrder(rules, {
    values: VALUES,
    first: 'name',
    parameter: 'rules',
  });
  const { rows, selection } = useSelectable(ordered, entryKey);
  return (
    <div className={classes.rules}>
      <DataTable
        rows={rows}
        columns={useColumns(onOpen)}
        keyOf={entryKey}
        nameOf={entryName}
        sorting={sorting}
        selection={selection}
        className={table.inner}
      />
      <TrustBar rules={rows} selection={selection} />
    </div>
  );
}

function useColumns(onOpen: RuleTableProps['onOpen']): Column<TrustRuleView>[] {
  const t = useMessages('trusts');
  const scopes = useMessages('tokenScope');
  return useMemo(
    () => [...columnsOf(t, onOpen), usedColumn<TrustRuleView>(scopes)],
    [t, scopes, onOpen],
  );
}

function columnsOf(
  t: Messages['trusts'],
  onOpen: RuleTableProps['onOpen'],
): Column<TrustRuleView>[] {
  return [
    {
      id: 'name',
      title: t.name,
      sort: 'name',
      cell: (rule) => <Name rule={rule} onOpen={() => onOpen(rule)} />,
    },
    {
      id: 'conditions',
      title: t.conditions,
      label: t.conditions,
      cell: ({ conditions }) => <code className={classes.conditions}>{linesOf(conditions)}</code>,
    },
    {
      id: 'robot',
      title: t.robot,
      sort: 'robot',
      label: t.robot,
      cell: (rule) => <RobotOf rule={rule} />,
    },
  ];
}

function Name({ rule, onOpen }: { rule: TrustRuleView; onOpen(): void }) {
  const t = useMessages('trusts');
  return (
    <>
      <button type="button" className={table.name} onClick={onOpen}>
        {rule.name}
      </button>{' '}
      {!rule.enabled && <Badge tone="unknown">{t.disabled}</Badge>}
      <span className={table.under}>{rule.issuer}</span>
    </>
  );
}

function RobotOf({ rule: { robot, scope } }: { rule: TrustRuleView }) {
  const words = useScopeWords();
  return (
    <>
      {robot.name}
      <span className={table.under}>{words(scope)}</span>
    </>
  );
}
