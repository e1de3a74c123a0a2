/** Shows one finding of a job, closed or open. */
import { Anchor, Group } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { Digest } from '../../../kit/text/digest.tsx';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { OutsideLink } from '../../../kit/text/outside-link.tsx';
import { ExploitedBadge } from '../../../kit/verdict/exploited-badge.tsx';
import { Scores } from '../../../kit/verdict/scores.tsx';
import { SeverityBadge } from '../../../kit/verdict/severity-badge.tsx';
import { FindingLinks } from './finding-links.tsx';
import {
  type FindingRow,
  type FoundPackage,
  type ShownFinding,
  versionsOf,
} from './finding-list.ts';
import classes from './findings.module.css';
import type { Grouping } from './findings-filter.tsx';
import { NewMark } from './new-mark.tsx';
import { WaiverLinks, WaiverNote } from './waiver-note.tsx';

interface FindingItemProps {
  row: FindingRow;
  grouping: Grouping;
  open: boolean;
  onLayer(digest: string): void;
  onToggle(key: string): void;
}

/** Rendered again only when it changes: the list renders at each step of a scroll. */
export const FindingItem = memo(function FindingItem({
  row,
  grouping,
  open,
  onLayer,
  onToggle,
}: FindingItemProps) {
  return (
    <div className={classes.line}>
      <button
        type="button"
        className={classes.summary}
        aria-expanded={open}
        onClick={() => onToggle(row.key)}
      >
        <IconChevronRight className={classes.chevron} size={16} aria-hidden="true" />
        <span className={classes.severity}>
          <SeverityBadge severity={row.severity} />
          {row.exploited && <ExploitedBadge />}
          <NewMark findings={row.findings} />
        </span>
        <span className={classes.name}>
          {row.name}
          <span className={classes.scores}>
            <Scores cvss={row.cvss} epss={row.epss} />
          </span>
        </span>
        {grouping === 'vulnerability' ? (
          <VulnerabilitySummary row={row} />
        ) : (
          <PackageSummary row={row} />
        )}
      </button>
      {open && (
        <div className={classes.detail}>
          {grouping === 'package' && <FindingLinks row={row} />}
          {grouping === 'vulnerability' && row.findings[0] && <Advisory found={row.findings[0]} />}
          {grouping === 'vulnerability' && <WaiverLinks vulnerability={row.name} />}
          <Packages
            packages={grouping === 'package' ? row.packages.slice(0, 1) : row.packages}
            rated={grouping === 'vulnerability'}
            onLayer={onLayer}
          />
        </div>
      )}
    </div>
  );
});

function VulnerabilitySummary({ row }: { row: FindingRow }) {
  const [t, format] = useWords('findings');
  const [found] = row.findings;
  const names = [...new Set(row.packages.map(({ name }) => name))];
  return (
    <>
      {/* The words of the advisory. */}
      <span className={classes.title} lang="en">
        {found?.title}
      </span>
      <span className={classes.where}>
        <b>{names.slice(0, 2).join(', ')}</b>
        {names.length > 2 && ` ${t.more(format.number(names.length - 2))}`}
        <Versions packages={row.packages} />
        <WaiverNote vulnerability={row.name} />
      </span>
    </>
  );
}

function PackageSummary({ row }: { row: FindingRow }) {
  const { findings } = useMessages('verdict');
  return (
    <>
      <span className={classes.title}>{findings(row.findings.length)}</span>
      <span className={classes.where}>
        <Versions packages={row.packages} />
      </span>
    </>
  );
}

function Versions({ packages }: { packages: readonly FoundPackage[] }) {
  const t = useMessages('findings');
  const { installed, fixed } = versionsOf(packages);
  return (
    <span className={classes.versions}>
      {installed}{' '}
      {fixed ? <span className={classes.fix}>→ {fixed}</span> : <span>({t.noFix})</span>}
    </span>
  );
}

function Advisory({ found }: { found: ShownFinding }) {
  const [t, format] = useWords('findings');
  const facts = [
    found.cvss_score !== null && t.score(format.score(found.cvss_score)),
    found.cvss_vector,
    found.published_at && format.date(found.published_at),
  ].filter(Boolean);
  return (
    <Group gap="4px 14px" align="baseline">
      {facts.length > 0 && <Dimmed span>{facts.join(' · ')}</Dimmed>}
      {found.primary_url && <OutsideLink href={found.primary_url}>{t.advisory}</OutsideLink>}
    </Group>
  );
}

interface PackagesProps {
  packages: readonly FoundPackage[];
  /** Shows the severity given by the package's source. */
  rated: boolean;
  onLayer(digest: string): void;
}

/** The affected packages, each with its layer. */
function Packages({ packages, rated, onLayer }: PackagesProps) {
  const t = useMessages('findings');
  const { severity } = useMessages('verdict');
  const rating = (each: FoundPackage) =>
    each.severity_source === null
      ? severity[each.severity]
      : t.ratedBy(severity[each.severity], each.severity_source);
  return (
    <ul className={classes.packages}>
      {packages.map((each) => (
        <li
          key={[each.name, each.installed_version, each.path, each.target, each.platform].join(' ')}
        >
          <b>{each.name}</b>
          <dl>
            <Fact name={t.installed} value={each.installed_version} />
            <Fact name={t.fixed} value={each.fixed_version ?? t.noFix} />
            <Fact name={t.rating} value={rated ? rating(each) : null} />
            <Fact name={t.status} value={each.status} />
            <Fact name={t.place} value={each.path ?? each.target} />
            <Fact
              name={t.layer}
              value={each.layer_digest && <Layer digest={each.layer_digest} onOpen={onLayer} />}
            />
            <Fact name={t.platform} value={each.platform} />
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Layer({ digest, onOpen }: { digest: string; onOpen(digest: string): void }) {
  const t = useMessages('findings');
  return (
    <>
      <Digest digest={digest} />{' '}
      <Anchor component="button" type="button" size="xs" onClick={() => onOpen(digest)}>
        {t.onlyLayer}
      </Anchor>
    </>
  );
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  if (value === null || value === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
