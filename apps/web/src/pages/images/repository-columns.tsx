import type { ImageRepository } from '@portcullis/contract';
import type { Format, Messages } from '../../i18n/messages.ts';
import { type Column, defineColumns, RowName, timeColumn } from '../../kit/table/columns.tsx';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { repositoryPath, splitName } from './repository-location.ts';

/** Of registries without an index only the names are known, in the order of the registry. */
export const useRepositoryColumns = defineColumns(
  'images',
  (t, format, registryId: string, isIndexed: boolean): Column<ImageRepository>[] => [
    nameOf(t, registryId),
    ...(isIndexed ? factsOf(t, format) : []),
  ],
);

function nameOf(t: Messages['images'], registryId: string): Column<ImageRepository> {
  return {
    title: t.repository,
    sort: 'name',
    cell: ({ name: repository }) => (
      <RowName to={repositoryPath({ registryId, repository })}>
        <RepositoryName name={repository} />
      </RowName>
    ),
  };
}

function factsOf(t: Messages['images'], format: Format): Column<ImageRepository>[] {
  const number = `${table.number} ${table.quiet}`;
  return [
    {
      title: t.tagsColumn,
      sort: 'tag_count',
      descendsFirst: true,
      className: number,
      width: '110px',
      cell: ({ tag_count }) => tag_count !== null && t.tagCount(tag_count),
    },
    {
      title: t.size,
      sort: 'size',
      descendsFirst: true,
      className: number,
      width: '110px',
      cell: ({ size }) => size !== null && format.bytes(size),
    },
    timeColumn('updated_at', t.updated),
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
