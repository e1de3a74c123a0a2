/** Whether an agent reports a cluster, in words: what a silent one said is old, and not false. */
import type { ClusterView } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import table from '../../../kit/table/table.module.css';
import { Badge } from '../../../kit/verdict/badge.tsx';

type Reported = Pick<ClusterView, 'reported_at' | 'silent'>;

export function ClusterState({ cluster: { reported_at: at, silent } }: { cluster: Reported }) {
  const t = useMessages('clusters');
  if (at !== null && !silent) return <Badge tone="good">{t.reports}</Badge>;
  return (
    <>
      <Badge tone={silent ? 'high' : 'unknown'}>{silent ? t.silent : t.noAgent}</Badge>
      <span className={table.under}>{silent ? t.silentText : t.noAgentText}</span>
    </>
  );
}
