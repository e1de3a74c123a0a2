/** Vulnerabilities that are new, fixed, or in both images. */
import { Alert, Group, Stack, Text } from '@mantine/core';
import type { ImageComparison } from '@portcullis/contract';
import { SEVERITIES, type SeverityCounts } from '@portcullis/domain';
import { useMemo } from 'react';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { ChoiceField } from '../../../kit/form/choices.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import { type Column, defineColumns, RowName } from '../../../kit/table/columns.tsx';
import { SortedTable } from '../../../kit/table/sorted-table.tsx';
import table from '../../../kit/table/table.module.css';
import { useUrlPart } from '../../../kit/use-url-part.ts';
import { SeverityBadge } from '../../../kit/verdict/severity-badge.tsx';
import { SeverityCountsView } from '../../../kit/verdict/severity-counts.tsx';
import { Missing } from './missing.tsx';

type Findings = NonNullable<ImageComparison['findings']>;
type Finding = Findings['changes'][number];

const KINDS = ['new', 'fixed', 'same'] as const;

interface FindingChangesProps {
  comparison: ImageComparison;
  /** Vulnerabilities of the built-in registry have a page. */
  isLocal: boolean;
}

export function FindingChanges({ comparison, isLocal }: FindingChangesProps) {
  const t = useMessages('comparison');
  const { from, to, findings } = comparison;
  const isMissing = ({ report }: typeof from) => report === null || report.coverage === 'none';
  return (
    <Panel title={t.vulnerabilities}>
      {findings === null ? (
        <Missing text={t.needReports} images={[from, to].filter(isMissing)} />
      ) : (
        <Stack gap="sm">
          {from.report?.database_updated_at !== to.report?.database_updated_at && (
            <Alert variant="light" color="gray">
              {t.otherDatabase}
            </Alert>
          )}
          <Found findings={findings} isLocal={isLocal} />
        </Stack>
      )}
    </Panel>
  );
}

/** The chosen kind is in the address. */
function Found({ findings, isLocal }: { findings: Findings; isLocal: boolean }) {
  const [t, format] = useWords('comparison');
  const present = KINDS.find((each) => total(findings[each]) > 0);
  const [read, change] = useUrlPart();
  const kind = KINDS.find((each) => each === read('findings')) ?? present ?? 'new';
  const shown = useMemo(
    () => findings.changes.filter((each) => each.kind === kind),
    [findings, kind],
  );
  if (present === undefined) return <Text c="dimmed">{t.noFindings}</Text>;
  const name = (each: Finding['kind']) =>
    `${t.kinds[each]} · ${format.number(total(findings[each]))}`;
  return (
    <>
      <Group gap="8px 14px">
        <ChoiceField<Finding['kind']>
          label={t.vulnerabilities}
          values={KINDS}
          names={{ new: name('new'), fixed: name('fixed'), same: name('same') }}
          value={kind}
          onChange={(chosen) => change({ findings: chosen })}
        />
        <SeverityCountsView counts={findings[kind]} />
      </Group>
      {shown.length === 0 ? (
        <Text c="dimmed">{t.noneOf[kind]}</Text>
      ) : (
        <FindingTable findings={shown} isLocal={isLocal} />
      )}
    </>
  );
}

function total(counts: SeverityCounts): number {
  return SEVERITIES.reduce((sum, each) => sum + counts[each], 0);
}

function FindingTable({ findings, isLocal }: { findings: Finding[]; isLocal: boolean }) {
  const columns = useColumns(isLocal);
  return (
    <SortedTable
      rows={findings}
      first="-severity"
      parameter="finding_sort"
      columns={columns}
      keyOf={findingKey}
    />
  );
}

const findingKey = ({ vulnerability }: Finding): string => vulnerability;

const useColumns = defineColumns('comparison', (t, _, isLocal: boolean): Column<Finding>[] => [
  {
    title: t.vulnerability,
    sort: 'id',
    by: ({ vulnerability }) => vulnerability,
    cell: (finding) => <Name finding={finding} isLocal={isLocal} />,
  },
  {
    title: t.severity,
    sort: 'severity',
    // Those of the highest severity are the largest.
    by: ({ severity }) => -SEVERITIES.indexOf(severity),
    descendsFirst: true,
    width: '18%',
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  {
    title: t.packagesColumn,
    sort: 'package',
    by: ({ packages }) => packages[0]?.name ?? null,
    className: table.quiet,
    width: '40%',
    cell: ({ packages }) => <Packages packages={packages} />,
  },
]);

function Name({ finding, isLocal }: { finding: Finding; isLocal: boolean }) {
  const { vulnerability: id, title } = finding;
  return (
    <>
      {isLocal ? (
        <RowName to={`/vulnerabilities/${encodeURIComponent(id)}`}>{id}</RowName>
      ) : (
        <strong>{id}</strong>
      )}
      {title !== null && <span className={table.under}>{title}</span>}
    </>
  );
}

const MOST_NAMED = 3;

function Packages({ packages }: Pick<Finding, 'packages'>) {
  const [t, format] = useWords('comparison');
  const rest = packages.length - MOST_NAMED;
  return (
    <>
      {packages.slice(0, MOST_NAMED).map((each) => (
        <div key={each.name} className={table.wrap}>
          {each.name} {versions(each)}
          <span className={table.under}>
            {each.fixed_version === null ? t.noFix : t.fixedIn(each.fixed_version)}
          </span>
        </div>
      ))}
      {rest > 0 && t.andMore(format.number(rest))}
    </>
  );
}

function versions({ from, to }: Finding['packages'][number]): string {
  const [before, after] = [from.join(', '), to.join(', ')];
  return before === '' || after === '' || before === after
    ? before || after
    : `${before} → ${after}`;
}
