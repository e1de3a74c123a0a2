/** The images that have a vulnerability, with what covers it. */
import type { VulnerableImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { type Column, defineColumns, RowName } from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { Digest } from '../../kit/text/digest.tsx';
import { LongName } from '../../kit/text/long-name.tsx';
import { VerdictBadge } from '../../kit/verdict/verdict-badge.tsx';
import { repositoryPath } from '../images/repository-location.ts';

export function VulnerableImages({ images }: { images: VulnerableImage[] }) {
  return <DataTable rows={images} columns={useColumns()} keyOf={imageKey} />;
}

function imageKey({ repository, digest, package: name, installed_version }: VulnerableImage) {
  return [repository, digest, name, installed_version].join(' ');
}

const useColumns = defineColumns('vulnerabilities', (t): Column<VulnerableImage>[] => [
  { id: 'image', title: t.image, cell: (image) => <Name image={image} /> },
  {
    id: 'package',
    title: t.package,
    className: table.quiet,
    width: '30%',
    cell: ({ package: name, installed_version, fixed_version: fixed }) => (
      <>
        {name} {installed_version}
        <span className={table.under}>{fixed === null ? t.noFix : t.fixedIn(fixed)}</span>
      </>
    ),
  },
  { id: 'verdict', title: t.verdict, width: '26%', cell: (image) => <Verdict image={image} /> },
]);

interface CellProps {
  image: VulnerableImage;
}

function Name({ image: { repository, digest, tags, tag_count: tagCount } }: CellProps) {
  const t = useMessages('vulnerabilities');
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
        </>
      }
    >
      <LongName>{tag === undefined ? repository : `${repository}:${tag}`}</LongName>
    </RowName>
  );
}

function Verdict({ image: { verdict, waivers } }: CellProps) {
  const [t, format] = useWords('vulnerabilities');
  const approvers = (names: readonly (string | null)[]) =>
    format.list(names.map((name) => name ?? t.removedAccount));
  return (
    <>
      {verdict !== null && <VerdictBadge verdict={verdict} />}
      {waivers.map(({ id, approved_by, expires_at }) => (
        <span key={id} className={table.under}>
          {t.allowedBy(approvers(approved_by), format.date(expires_at))}
        </span>
      ))}
    </>
  );
}
