import type { FolderSummary } from '@portcullis/contract';
import { ROOT_FOLDER, STANDING_GROUPS } from '@portcullis/domain';
import { useMessages } from '../../i18n/messages.ts';
import type { SortValues } from '../../kit/table/column-order.ts';
import { type Column, defineColumns, RowName, timeColumn } from '../../kit/table/columns.tsx';
import { SortedTable } from '../../kit/table/sorted-table.tsx';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { useAccount } from '../../session/account.ts';
import { folderPath } from './folder-location.ts';
import { useRightsWords } from './rights-words.ts';
import { StandingCounts } from './standing-counts.tsx';

/** The repositories without a folder have no name, and are last. */
const VALUES: SortValues<FolderSummary> = {
  name: ({ name }) => (name === ROOT_FOLDER ? null : name),
  images: imagesOf,
  updated_at: ({ updated_at }) => updated_at,
};

function imagesOf({ images }: FolderSummary): number {
  return STANDING_GROUPS.reduce((sum, group) => sum + images[group], 0);
}

export function FolderTable({ folders }: { folders: readonly FolderSummary[] }) {
  return (
    <SortedTable
      rows={folders}
      values={VALUES}
      first="name"
      columns={useColumns(useAccount().is_admin)}
      keyOf={folderKey}
    />
  );
}

const folderKey = ({ id }: FolderSummary): string => id;

const useColumns = defineColumns('folder', (t, _, isAdmin: boolean): Column<FolderSummary>[] => {
  const rights: Column<FolderSummary> = {
    id: 'rights',
    title: t.yourRights,
    className: table.quiet,
    cell: (folder) => <Rights folder={folder} />,
  };
  return [
    { title: t.name, sort: 'name', cell: (folder) => <Name folder={folder} /> },
    {
      title: t.images,
      sort: 'images',
      descendsFirst: true,
      cell: (folder) => <Images folder={folder} />,
    },
    ...(isAdmin ? [] : [rights]),
    timeColumn('updated_at', t.lastPush, { label: t.lastPush }),
  ];
});

interface CellProps {
  folder: FolderSummary;
}

function Name({ folder: { name, description } }: CellProps) {
  const t = useMessages('folder');
  const isRoot = name === ROOT_FOLDER;
  const about = isRoot ? t.rootHint : description;
  return (
    <>
      <RowName to={folderPath(name)}>
        <LongName>{isRoot ? t.root : name}</LongName>
      </RowName>
      {about !== '' && (
        <span className={table.under}>
          <LongName>{about}</LongName>
        </span>
      )}
    </>
  );
}

function Images({ folder }: CellProps) {
  const t = useMessages('folder');
  const total = imagesOf(folder);
  if (total === 0) return <span className={table.quiet}>{t.noImages}</span>;
  return (
    <>
      <StandingCounts images={folder.images} />
      <span className={table.under}>{t.imageCount(total)}</span>
    </>
  );
}

function Rights({ folder: { rights } }: CellProps) {
  return useRightsWords()(rights);
}
