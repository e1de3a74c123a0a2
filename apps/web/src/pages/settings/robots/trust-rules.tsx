/** The list of trust rules, and the check of a token. */
import { Button, Stack } from '@mantine/core';
import type { Robot, TrustRuleView } from '@portcullis/contract';
import { IconPlus, IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer } from '../../../api/api.ts';
import { type Messages, useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { ListView } from '../../../kit/list/list-view.tsx';
import { useWholeList, type WholeList } from '../../../kit/list/use-whole-list.ts';
import { EntriesBar } from '../../../kit/selection/entries-bar.tsx';
import { entryKey, entryName } from '../../../kit/selection/entry.ts';
import { type Column, defineColumns, RowName } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { useScopeWords } from '../../../kit/token/scope-words.ts';
import { usedColumn } from '../../../kit/token/used-column.tsx';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { linesOf } from './conditions.ts';
import classes from './robots.module.css';
import { TrustDialog } from './trust-dialog.tsx';
import { TrustTestPanel } from './trust-test.tsx';

const RULES: WholeList<TrustRuleView> = {
  keyOf: entryKey,
  nameOf: entryName,
  values: {
    name: entryName,
    robot: ({ robot }) => robot.name,
    last_used_at: ({ last_used_at }) => last_used_at,
  },
  first: 'name',
  parameter: 'rules',
};

const ENABLING = {
  operation: 'trusts.update',
  body: (enabled: boolean) => ({ enabled }),
  isEnabled: ({ enabled }: TrustRuleView) => enabled,
  danger: true,
} as const;

export function TrustRules({ robots }: { robots: Robot[] }) {
  const t = useMessages('trusts');
  const rows = useMessages('rowActs');
  const rules = useAnswer('trusts.list');
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
    <Stack mt={24}>
      <Panel
        title={t.title}
        description={t.lead}
        actions={rules.data?.length ? button : null}
        flush
      >
        <ListView
          panel
          list={useWholeList(rules, RULES)}
          columns={useColumns(useMessages('tokenScope'), setShown)}
          empty={
            <EmptyState icon={IconShieldCheck} title={t.emptyTitle} text={t.emptyText}>
              {button}
            </EmptyState>
          }
        >
          {(list) => (
            <EntriesBar
              list={list}
              title={t.title}
              words={rows.trusts}
              changes="trusts.list"
              remove="trusts.remove"
              enabling={ENABLING}
            />
          )}
        </ListView>
      </Panel>
      {rules.data && rules.data.length > 0 && <TrustTestPanel />}
      {shown && (
        <TrustDialog
          rule={shown === 'new' ? null : shown}
          robots={robots}
          onClose={() => setShown(null)}
        />
      )}
    </Stack>
  );
}

const useColumns = defineColumns(
  'trusts',
  (
    t,
    _,
    scopes: Messages['tokenScope'],
    onOpen: (rule: TrustRuleView) => void,
  ): Column<TrustRuleView>[] => [
    {
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
      title: t.robot,
      sort: 'robot',
      label: t.robot,
      cell: (rule) => <RobotOf rule={rule} />,
    },
    usedColumn(scopes),
  ],
);

function Name({ rule, onOpen }: { rule: TrustRuleView; onOpen(): void }) {
  const t = useMessages('trusts');
  return (
    <RowName
      onOpen={onOpen}
      beside={!rule.enabled && <Badge tone="unknown">{t.disabled}</Badge>}
      under={rule.issuer}
    >
      {rule.name}
    </RowName>
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
