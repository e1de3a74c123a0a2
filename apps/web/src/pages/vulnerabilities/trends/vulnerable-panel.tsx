/** Shows the most vulnerable images. */
import type { DashboardStats } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { Panel } from '../../../kit/layout/panel.tsx';
import { type Column, defineColumns, RowName } from '../../../kit/table/columns.tsx';
import { DataTable } from '../../../kit/table/data-table.tsx';
import table from '../../../kit/table/table.module.css';
import { LongName } from '../../../kit/text/long-name.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { SeverityCountsView } from '../../../kit/verdict/severity-counts.tsx';

const repositoryUrl = (repository: string) => `/images/__local__/${repository}`;

type Vulnerable = DashboardStats['top_vulnerable'][number];

const nameOf = ({ repository, tag }: Vulnerable): string => `${repository}:${tag}`;

const useColumns = defineColumns('dashboard', (t): Column<Vulnerable>[] => [
  {
    id: 'image',
    title: t.image,
    cell: (image) => (
      <RowName to={repositoryUrl(image.repository)}>
        <LongName>{nameOf(image)}</LongName>
      </RowName>
    ),
  },
  {
    id: 'findings',
    title: t.findings,
    cell: ({ counts }) => <SeverityCountsView counts={counts} />,
  },
  {
    id: 'scanned',
    title: t.scanned,
    className: table.quiet,
    cell: ({ scanned_at }) => <RelativeTime at={scanned_at} />,
  },
]);

export function VulnerablePanel({ images }: { images: Vulnerable[] }) {
  const t = useMessages('dashboard');
  const columns = useColumns();
  return (
    <Panel title={t.vulnerable} flush empty={images.length === 0 && t.noVulnerable}>
      <DataTable rows={images} columns={columns} keyOf={nameOf} className={table.inner} />
    </Panel>
  );
}
