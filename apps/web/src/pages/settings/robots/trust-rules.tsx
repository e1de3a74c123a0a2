/** The list of trust rules, and the check of a token. */
import { Button } from '@mantine/core';
import type { Robot, TrustRuleView } from '@portcullis/contract';
import { IconPlus, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { QueryView } from '../../../kit/layout/query-view.tsx';
import table from '../../../kit/table/table.module.css';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { useScopeWords } from '../../../kit/token/scope-words.ts';
import { Badge } from '../../../kit/verdict/badge.tsx';
import { linesOf } from './conditions.ts';
import classes from './robots.module.css';
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
  onOpen(rule: TrustRuleView): void;
}

function RuleTable({ rules, onOpen }: RuleTableProps) {
  const t = useMessages('trusts');
  const words = useScopeWords();
  return (
    <table className={`${table.table} ${table.inner}`}>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col">{t.conditions}</th>
          <th scope="col">{t.robot}</th>
          <th scope="col">{t.used}</th>
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <tr key={rule.id}>
            <td>
              <button type="button" className={table.name} onClick={() => onOpen(rule)}>
                {rule.name}
              </button>{' '}
              {!rule.enabled && <Badge tone="unknown">{t.disabled}</Badge>}
              <span className={table.under}>{rule.issuer}</span>
            </td>
            <td data-label={t.conditions}>
              <code className={classes.conditions}>{linesOf(rule.conditions)}</code>
            </td>
            <td data-label={t.robot}>
              {rule.robot.name}
              <span className={table.under}>{words(rule.scope)}</span>
            </td>
            <td className={table.quiet} data-label={t.used}>
              {rule.last_used_at ? <RelativeTime at={rule.last_used_at} /> : t.never}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
