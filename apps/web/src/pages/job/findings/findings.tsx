import { Button, Title } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { IconFilterOff } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { byPackage, byVulnerability, filterFindings, NO_FILTER } from './finding-list.ts';
import { FindingRows } from './finding-rows.tsx';
import classes from './findings.module.css';
import { FindingsFilter, type Grouping } from './findings-filter.tsx';

const GATHER = { vulnerability: byVulnerability, package: byPackage } as const;

export function Findings({ job }: { job: Job }) {
  const t = useMessages('findings');
  const format = useFormat();
  const [filter, setFilter] = useState(NO_FILTER);
  const [grouping, setGrouping] = useState<Grouping>('vulnerability');
  const result = job.vuln_result;
  const all = result?.vulnerabilities ?? [];
  // Keeps typing responsive while thousands of findings are filtered.
  const wanted = useDeferredValue(filter);
  const found = useMemo(() => filterFindings(all, wanted), [all, wanted]);
  const rows = useMemo(() => GATHER[grouping](found), [found, grouping]);
  if (!result || all.length === 0) return null;
  return (
    <section className={classes.findings}>
      <div className={classes.head}>
        <Title order={2}>{t.title}</Title>
        <span className={classes.quiet} aria-live="polite">
          {t.shown(format.number(found.length), format.number(all.length))}
        </span>
      </div>
      <FindingsFilter
        counts={result.counts}
        filter={filter}
        onFilter={setFilter}
        grouping={grouping}
        onGrouping={setGrouping}
      />
      {rows.length > 0 ? (
        <FindingRows key={grouping} rows={rows} grouping={grouping} />
      ) : (
        <EmptyState icon={IconFilterOff} title={t.none} text={t.noneText}>
          <Button variant="default" onClick={() => setFilter(NO_FILTER)}>
            {t.clear}
          </Button>
        </EmptyState>
      )}
    </section>
  );
}
