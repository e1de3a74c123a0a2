import type { ImageRepository } from '@portcullis/contract';
import { Link } from 'react-router';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { repositoryPath, splitName } from './repository-location.ts';

interface RepositoryTableProps {
  registryId: string;
  repositories: ImageRepository[];
}

/** Of registries without an index only the names are known. */
export function RepositoryTable({ registryId, repositories }: RepositoryTableProps) {
  const t = useMessages('images');
  const indexed = repositories.some(({ tag_count }) => tag_count !== null);
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t.repository}</th>
          {indexed && (
            <>
              <th scope="col" className={table.number}>
                {t.tagsColumn}
              </th>
              <th scope="col" className={table.number}>
                {t.size}
              </th>
              <th scope="col">{t.updated}</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {repositories.map((repository) => (
          <Row
            key={repository.name}
            registryId={registryId}
            repository={repository}
            indexed={indexed}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  registryId: string;
  repository: ImageRepository;
  indexed: boolean;
}

function Row({ registryId, repository, indexed }: RowProps) {
  const t = useMessages('images');
  const format = useFormat();
  const { name, tag_count, size, updated_at } = repository;
  return (
    <tr>
      <td>
        <Link to={repositoryPath({ registryId, repository: name })} className={table.name}>
          <RepositoryName name={name} />
        </Link>
      </td>
      {indexed && (
        <>
          <td className={`${table.number} ${table.quiet}`}>
            {tag_count !== null && t.tagCount(tag_count)}
          </td>
          <td className={`${table.number} ${table.quiet}`}>
            {size !== null && format.bytes(size)}
          </td>
          <td className={`${table.quiet} ${table.nowrap}`}>
            {updated_at !== null && <RelativeTime at={updated_at} />}
          </td>
        </>
      )}
    </tr>
  );
}

function RepositoryName({ name }: { name: string }) {
  const [prefix, last] = splitName(name);
  return (
    <>
      <span className={table.prefix}>{prefix}</span>
      {last}
    </>
  );
}
