import type { ImageRepository } from '@portcullis/contract';
import { Link } from 'react-router';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import type { Column, Sorting } from '../../kit/table/columns.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { repositoryPath, splitName } from './repository-location.ts';

interface RepositoryTableProps {
  registryId: string;
  repositories: ImageRepository[];
  sorting: Sorting;
}

/** Of registries without an index only the names are known, in the order of the registry. */
export function RepositoryTable({ registryId, repositories, sorting }: RepositoryTableProps) {
  const t = useMessages('images');
  const facts = useFacts();
  const indexed = repositories.some(({ tag_count }) => tag_count !== null);
  const name: Column<ImageRepository> = {
    id: 'name',
    title: t.repository,
    sort: 'name',
    cell: (repository) => (
      <Link to={repositoryPath({ registryId, repository: repository.name })} className={table.name}>
        <RepositoryName name={repository.name} />
      </Link>
    ),
  };
  return (
    <DataTable
      rows={repositories}
      columns={indexed ? [name, ...facts] : [name]}
      keyOf={(repository) => repository.name}
      sorting={indexed ? sorting : undefined}
    />
  );
}

function useFacts(): Column<ImageRepository>[] {
  const t = useMessages('images');
  const format = useFormat();
  const number = `${table.number} ${table.quiet}`;
  return [
    {
      id: 'tags',
      title: t.tagsColumn,
      sort: 'tag_count',
      descendsFirst: true,
      className: number,
      width: '110px',
      cell: ({ tag_count }) => tag_count !== null && t.tagCount(tag_count),
    },
    {
      id: 'size',
      title: t.size,
      sort: 'size',
      descendsFirst: true,
      className: number,
      width: '110px',
      cell: ({ size }) => size !== null && format.bytes(size),
    },
    {
      id: 'updated',
      title: t.updated,
      sort: 'updated_at',
      descendsFirst: true,
      className: `${table.quiet} ${table.nowrap}`,
      width: '130px',
      cell: ({ updated_at }) => updated_at !== null && <RelativeTime at={updated_at} />,
    },
  ];
}

function RepositoryName({ name }: { name: string }) {
  const [prefix, last] = splitName(name);
  return (
    <>
      <span className={table.prefix}>{prefix}</span>
      <LongName>{last}</LongName>
    </>
  );
}
