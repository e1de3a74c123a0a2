/** The columns of a folder's images: where each stands, its findings and its size. */
import type { FolderImage } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useFormat, useMessages } from '../../../i18n/messages.ts';
import { type Column, defineColumns, RowName } from '../../../kit/table/columns.tsx';
import table from '../../../kit/table/table.module.css';
import { LongName } from '../../../kit/text/long-name.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { SeverityCountsView } from '../../../kit/verdict/severity-counts.tsx';
import { repositoryPath } from '../../images/repository-location.ts';
import classes from '../folders.module.css';
import { StandingBadge } from '../standing-label.tsx';

type NameOf = ((image: FolderImage) => string) | undefined;

/** @param nameOf the same in each render */
export const useImageColumns = defineColumns(
  'folder',
  (t, format, nameOf: NameOf): Column<FolderImage>[] => [
    {
      title: t.image,
      sort: 'repository',
      cell: (image) => <Name image={image} name={nameOf?.(image) ?? image.repository} />,
    },
    {
      title: t.standing,
      sort: 'urgency',
      className: classes.standing,
      cell: (image) => (
        <>
          <StandingBadge standing={image.standing} />
          <Reason image={image} />
        </>
      ),
    },
    {
      title: t.found,
      sort: 'findings',
      descendsFirst: true,
      cell: ({ counts }) => counts && <SeverityCountsView counts={counts} />,
    },
    {
      title: t.size,
      sort: 'size',
      descendsFirst: true,
      className: `${table.number} ${table.quiet}`,
      cell: ({ size }) => format.bytes(size),
    },
  ],
);

interface CellProps {
  image: FolderImage;
}

function Name({
  name,
  image: { repository, tags, tag_count, pushed_at },
}: CellProps & { name: string }) {
  const t = useMessages('folder');
  const place = { registryId: LOCAL_REGISTRY_ID, repository };
  return (
    <RowName
      to={repositoryPath(place, tags[0])}
      under={
        <>
          {tag_count > 1 && `${t.moreTags(tag_count - 1)} · `}
          <RelativeTime at={pushed_at} />
        </>
      }
    >
      <LongName>{name}</LongName>
    </RowName>
  );
}

function Reason({ image }: CellProps) {
  const words = useMessages('standing');
  const format = useFormat();
  const { blocking, blocking_total: total, standing, since, grace_until: grace } = image;
  if (standing !== 'blocked') return null;
  const [first] = blocking;
  const cause =
    first === undefined
      ? null
      : words.because(total > 1 ? words.andMore(first, format.number(total - 1)) : first);
  const dates = [
    since !== null && words.blockedAlready(format.date(since)),
    grace !== null && words.servedUntil(format.date(grace)),
  ].filter((text) => text !== false);
  return (
    <>
      {cause !== null && <span className={table.under}>{cause}</span>}
      {dates.length > 0 && <span className={table.under}>{dates.join(' · ')}</span>}
    </>
  );
}
