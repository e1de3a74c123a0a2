/** The images that have a vulnerability, each once, with what the gate does with it. */
import type { AffectedImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { type Column, defineColumns, RowName } from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { Digest } from '../../kit/text/digest.tsx';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { useRunningText } from '../../kit/text/running-count.tsx';
import { Badge } from '../../kit/verdict/badge.tsx';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';
import { repositoryPath } from '../images/repository-location.ts';

const MOST_NAMED = 3;

export function VulnerableImages({ images }: { images: AffectedImage[] }) {
  return <DataTable rows={images} columns={useColumns()} keyOf={imageKey} />;
}

const imageKey = ({ repository, digest }: AffectedImage) => `${repository} ${digest}`;

const useColumns = defineColumns('vulnerabilities', (t): Column<AffectedImage>[] => [
  { id: 'image', title: t.image, cell: (image) => <Name image={image} /> },
  {
    id: 'packages',
    title: t.packages,
    className: table.quiet,
    width: '26%',
    cell: (image) => <Packages image={image} />,
  },
  { id: 'verdict', title: t.verdict, width: '26%', cell: (image) => <Verdict image={image} /> },
  {
    id: 'pulled',
    title: t.lastPull,
    label: t.lastPull,
    className: table.quiet,
    width: '16%',
    cell: (image) => <LastPull image={image} />,
  },
]);

interface CellProps {
  image: AffectedImage;
}

function Name({ image: { repository, digest, tags, tag_count: tagCount, running } }: CellProps) {
  const t = useMessages('vulnerabilities');
  const runningText = useRunningText();
  const [tag] = tags;
  const place = { registryId: LOCAL_REGISTRY_ID, repository };
  return (
    <RowName
      to={repositoryPath(place, tag)}
      under={
        <>
          {tagCount > 1 && `${t.moreTags(tagCount - 1)} · `}
          <span className={table.above}>
            <Digest digest={digest} />
          </span>
          {running !== null && ` · ${runningText(running)}`}
        </>
      }
    >
      <LongName>{tag === undefined ? repository : `${repository}:${tag}`}</LongName>
    </RowName>
  );
}

function Packages({ image: { packages } }: CellProps) {
  const [t, format] = useWords('vulnerabilities');
  const more = packages.length - MOST_NAMED;
  return (
    <>
      {packages
        .slice(0, MOST_NAMED)
        .map(({ name, installed_version: version, fixed_version: fix }) => (
          <div key={`${name} ${version}`}>
            {name} {version}
            <span className={table.under}>{fix === null ? t.noFix : t.fixedIn(fix)}</span>
          </div>
        ))}
      {more > 0 && t.andMore(format.number(more))}
    </>
  );
}

function Verdict({ image }: CellProps) {
  const [t, format] = useWords('vulnerabilities');
  const { states, letIn, servedUntil } = useMessages('exposure');
  const { verdict, waivers, state, blocks, grace_until: until, let_in: let_ } = image;
  const approvers = (names: readonly (string | null)[]) =>
    format.list(names.map((name) => name ?? t.removedAccount));
  const isServed = state === 'off' || state === 'report' || state === 'grace';
  return (
    <>
      <span className={table.badges}>
        {verdict !== null && <VerdictBadge verdict={verdict} />}
        {isServed && <Badge tone="critical">{states.served}</Badge>}
      </span>
      <span className={table.under}>
        {state === 'grace' && until !== null ? servedUntil(format.date(until)) : states[state]}
        {isServed && !blocks && ` · ${states.byOthers}`}
      </span>
      {let_ !== null && (
        <span className={table.under}>
          {letIn(let_.by ?? t.removedAccount, format.date(let_.at), let_.reason ?? '')}
        </span>
      )}
      {waivers.map(({ id, approved_by, expires_at }) => (
        <span key={id} className={table.under}>
          {t.allowedBy(approvers(approved_by), format.date(expires_at))}
        </span>
      ))}
    </>
  );
}

function LastPull({ image: { last_pull: pull } }: CellProps) {
  const t = useMessages('vulnerabilities');
  if (pull === null) return t.noPull;
  return (
    <>
      <RelativeTime at={pull.at} />
      {pull.by !== null && <span className={table.under}>{pull.by}</span>}
    </>
  );
}
