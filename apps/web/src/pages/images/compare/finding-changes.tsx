/** Vulnerabilities that are new, fixed, or in both images. */
import { Alert, Stack, Text } from '@mantine/core';
import type { ImageComparison } from '@portcullis/contract';
import { SEVERITIES, type SeverityCounts } from '@portcullis/domain';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ChoiceField } from '../../../kit/form/choice-field.tsx';
import { Panel } from '../../../kit/layout/panel.tsx';
import table from '../../../kit/table/table.module.css';
import { SeverityBadge } from '../../../kit/verdict/severity-badge.tsx';
import { SeverityCountsView } from '../../../kit/verdict/severity-counts.tsx';
import classes from './compare.module.css';
import { Missing } from './missing.tsx';
import { MoreRows, useFirstRows } from './more-rows.tsx';

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

function Found({ findings, isLocal }: { findings: Findings; isLocal: boolean }) {
  const t = useMessages('comparison');
  const format = useFormat();
  const present = KINDS.find((each) => total(findings[each]) > 0);
  const [kind, setKind] = useState<Finding['kind']>(present ?? 'new');
  const shown = useFirstRows(
    findings.changes.filter((each) => each.kind === kind),
    kind,
  );
  if (present === undefined) return <Text c="dimmed">{t.noFindings}</Text>;
  const name = (each: Finding['kind']) =>
    `${t.kinds[each]} · ${format.number(total(findings[each]))}`;
  return (
    <>
      <div className={classes.filter}>
        <ChoiceField<Finding['kind']>
          label={t.vulnerabilities}
          values={KINDS}
          names={{ new: name('new'), fixed: name('fixed'), same: name('same') }}
          value={kind}
          onChange={setKind}
        />
        <SeverityCountsView counts={findings[kind]} />
      </div>
      {shown.rows.length === 0 ? (
        <Text c="dimmed">{t.noneOf[kind]}</Text>
      ) : (
        <FindingTable findings={shown.rows} isLocal={isLocal} />
      )}
      <MoreRows {...shown} />
    </>
  );
}

function total(counts: SeverityCounts): number {
  return SEVERITIES.reduce((sum, each) => sum + counts[each], 0);
}

function FindingTable({ findings, isLocal }: { findings: Finding[]; isLocal: boolean }) {
  const t = useMessages('comparison');
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.vulnerability}</th>
          <th scope="col">{t.severity}</th>
          <th scope="col">{t.packagesColumn}</th>
        </tr>
      </thead>
      <tbody>
        {findings.map((each) => (
          <FindingRow key={each.vulnerability} finding={each} isLocal={isLocal} />
        ))}
      </tbody>
    </table>
  );
}

const MOST_NAMED = 3;

function FindingRow({ finding, isLocal }: { finding: Finding; isLocal: boolean }) {
  const t = useMessages('comparison');
  const format = useFormat();
  const { vulnerability: id, severity, title, packages } = finding;
  const rest = packages.length - MOST_NAMED;
  return (
    <tr>
      <td>
        {isLocal ? (
          <Link className={table.name} to={`/vulnerabilities/${encodeURIComponent(id)}`}>
            {id}
          </Link>
        ) : (
          <strong>{id}</strong>
        )}
        {title !== null && <span className={table.under}>{title}</span>}
      </td>
      <td>
        <SeverityBadge severity={severity} />
      </td>
      <td className={table.quiet}>
        {packages.slice(0, MOST_NAMED).map((each) => (
          <div key={each.name} className={classes.version}>
            {each.name} {versions(each)}
            <span className={table.under}>
              {each.fixed_version === null ? t.noFix : t.fixedIn(each.fixed_version)}
            </span>
          </div>
        ))}
        {rest > 0 && t.andMore(format.number(rest))}
      </td>
    </tr>
  );
}

function versions({ from, to }: Finding['packages'][number]): string {
  const [before, after] = [from.join(', '), to.join(', ')];
  return before === '' || after === '' || before === after
    ? before || after
    : `${before} → ${after}`;
}
