/** Shows the findings of a job by vulnerability or by package. */
import { Button, Title } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { SEVERITIES, type Severity } from '@portcullis/domain';
import { IconFilterOff } from '@tabler/icons-react';
import { useDeferredValue, useMemo } from 'react';
import { useWords } from '../../../i18n/messages.ts';
import { EmptyState } from '../../../kit/layout/empty-state.tsx';
import { toggled } from '../../../kit/list/toggled.ts';
import { useSteady } from '../../../kit/steady.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import {
  byPackage,
  bySeverity,
  byVulnerability,
  countsOf,
  filterFindings,
  findingsOfLayer,
  NO_FILTER,
  type ShownFinding,
} from './finding-list.ts';
import { inOrder } from './finding-order.ts';
import { FindingRows } from './finding-rows.tsx';
import { useFindingView } from './finding-view.ts';
import classes from './findings.module.css';
import { FindingsFilter } from './findings-filter.tsx';
import { LayerFilter } from './layer-filter.tsx';
import { NewFindingsContext, useSincePrevious } from './new-findings.ts';
import { PreviousScan } from './new-mark.tsx';

const NONE: readonly ShownFinding[] = [];
const NO_IDS: ReadonlySet<string> = new Set();
const GATHER = { vulnerability: byVulnerability, package: byPackage } as const;

export function Findings({ job }: { job: Job }) {
  const [t, format] = useWords('findings');
  const [{ grouping, order, ...filter }, change] = useFindingView();
  const result = job.vuln_result;
  const all = result?.vulnerabilities ?? NONE;
  // Keeps typing responsive while thousands of findings are filtered.
  const { severities, fixableOnly, exploitedOnly, text, layer } = filter;
  const since = useSincePrevious(job);
  const newIds = since?.previous ? since.ids : null;
  const newOnly = filter.newOnly && newIds !== null;
  const chosen = severities.join();
  const asked = useMemo(
    // Not the list itself, which is another one each time.
    () => ({ severities: severitiesOf(chosen), fixableOnly, exploitedOnly, newOnly, text }),
    [chosen, fixableOnly, exploitedOnly, newOnly, text],
  );
  const wanted = useDeferredValue(asked);
  const ofLayer = useMemo(() => (layer === null ? all : findingsOfLayer(all, layer)), [all, layer]);
  const sorted = useMemo(() => bySeverity(ofLayer), [ofLayer]);
  const found = useMemo(
    () => filterFindings(sorted, wanted, newIds ?? NO_IDS),
    [sorted, wanted, newIds],
  );
  const gathered = useMemo(() => GATHER[grouping](found), [found, grouping]);
  const rows = useMemo(() => inOrder(gathered, order), [gathered, order]);
  const showLayer = useSteady((digest: string) => change({ layer: digest }));
  const hasExploited = useMemo(() => all.some(({ kev }) => kev === true), [all]);
  const newCount = useMemo(
    () => newIds && ofLayer.filter(({ id }) => newIds.has(id)).length,
    [ofLayer, newIds],
  );
  if (!result || all.length === 0) return null;
  return (
    <section className={classes.findings}>
      <div className={classes.head}>
        <Title order={2}>{t.title}</Title>
        <Dimmed span aria-live="polite">
          {t.shown(format.number(found.length), format.number(all.length))}
        </Dimmed>
      </div>
      <FindingsFilter
        counts={layer === null ? result.counts : countsOf(ofLayer)}
        filter={filter}
        onFilter={change}
        onSeverity={(severity) =>
          change((latest) => ({ severities: toggled(latest.severities, severity) }))
        }
        hasExploited={hasExploited}
        newCount={newCount}
        grouping={grouping}
        onGrouping={(next) => change({ grouping: next })}
        order={order}
        onOrder={(next) => change({ order: next })}
      >
        {since && <PreviousScan job={job} since={since} />}
      </FindingsFilter>
      {layer !== null && (
        <LayerFilter
          key={layer}
          job={job}
          layer={layer}
          findings={ofLayer}
          onRemove={() => change({ layer: null })}
        />
      )}
      {rows.length > 0 ? (
        <NewFindingsContext value={newIds ?? NO_IDS}>
          <FindingRows key={grouping} rows={rows} grouping={grouping} onLayer={showLayer} />
        </NewFindingsContext>
      ) : (
        <EmptyState icon={IconFilterOff} title={t.none} text={t.noneText}>
          <Button variant="default" onClick={() => change(NO_FILTER)}>
            {t.clear}
          </Button>
        </EmptyState>
      )}
    </section>
  );
}

function severitiesOf(chosen: string): Severity[] {
  const names = chosen.split(',');
  return SEVERITIES.filter((each) => names.includes(each));
}
