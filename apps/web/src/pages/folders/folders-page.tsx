/** The folders that the account may pull from, with what needs attention in each. */
import { Button } from '@mantine/core';
import type { FolderSummary } from '@portcullis/contract';
import { ROOT_FOLDER, STANDING_GROUPS } from '@portcullis/domain';
import { IconFolder } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../api/api.ts';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { SearchField } from '../../kit/form/search-field.tsx';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { PageHead } from '../../kit/layout/page-head.tsx';
import { QueryView } from '../../kit/layout/query-view.tsx';
import { text, words } from '../../kit/list/codecs.ts';
import { defineFilter } from '../../kit/list/filter.ts';
import { type Column, defineColumns, RowName, timeColumn } from '../../kit/table/columns.tsx';
import { SortedTable } from '../../kit/table/sorted-table.tsx';
import table from '../../kit/table/table.module.css';
import { Dimmed } from '../../kit/text/dimmed.tsx';
import { LongName } from '../../kit/text/long-name.tsx';
import { useUrlState } from '../../kit/use-url-state.ts';
import { Badge } from '../../kit/verdict/badge.tsx';
import { useAccount } from '../../session/account.ts';
import { Administrators } from '../../session/contacts.tsx';
import { folderPath } from './folder-location.ts';
import classes from './folders.module.css';
import { useRightsWords } from './rights-words.ts';
import { STANDING_LOOKS } from './standing-label.tsx';

const FEW = 8;

export function Component() {
  const t = useMessages('folder');
  const { is_admin: isAdmin } = useAccount();
  const folders = useAnswer('folders.listFolderSummaries');
  return (
    <>
      <PageHead title={t.title} description={t.lead}>
        {isAdmin && (
          <Button component={Link} to="/settings/folders" variant="default">
            {t.changeAccess}
          </Button>
        )}
      </PageHead>
      <QueryView query={folders} rows={8} rowHeight={58}>
        {(found) => <Folders folders={found} />}
      </QueryView>
    </>
  );
}

/** In the address, beside the order. */
const FILTER = defineFilter({ q: words(), sort: text('sort', 'sort') });

function Folders({ folders }: { folders: FolderSummary[] }) {
  const t = useMessages('folder');
  const [{ q }, change] = useUrlState(FILTER);
  const shown = useMemo(() => {
    const wanted = q.trim().toLowerCase();
    return folders.filter(({ name, description }) =>
      `${name === ROOT_FOLDER ? t.root : name} ${description}`.toLowerCase().includes(wanted),
    );
  }, [folders, q, t]);
  if (folders.length === 0)
    return (
      <EmptyState icon={IconFolder} title={t.emptyTitle} text={t.emptyText}>
        <Administrators />
      </EmptyState>
    );
  return (
    <>
      {(folders.length > FEW || q !== '') && (
        <SearchField
          mb="sm"
          maw={420}
          label={t.filter}
          value={q}
          onChange={(typed) => change({ q: typed })}
        />
      )}
      {shown.length === 0 ? <Dimmed>{t.noMatch}</Dimmed> : <FolderTable folders={shown} />}
    </>
  );
}

function imagesOf({ images }: FolderSummary): number {
  return STANDING_GROUPS.reduce((sum, group) => sum + images[group], 0);
}

function FolderTable({ folders }: { folders: readonly FolderSummary[] }) {
  return (
    <SortedTable
      rows={folders}
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
    {
      title: t.name,
      sort: 'name',
      // The repositories without a folder have no name, and are last.
      by: ({ name }) => (name === ROOT_FOLDER ? null : name),
      cell: (folder) => <Name folder={folder} />,
    },
    {
      title: t.images,
      sort: 'images',
      by: imagesOf,
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

/** The images of a folder by standing as one bar, with a full sentence for screen readers. */
function StandingCounts({ images }: Pick<FolderSummary, 'images'>) {
  const [t, format] = useWords('folder');
  const present = STANDING_GROUPS.filter((group) => images[group] > 0);
  return (
    <span className={classes.counts}>
      {present.map((group) => {
        const [tone, icon] = STANDING_LOOKS[group];
        return (
          <Badge key={group} tone={tone} icon={icon}>
            {format.number(images[group])}
            <span className={classes.countName}>{t.groups[group]}</span>
          </Badge>
        );
      })}
    </span>
  );
}
