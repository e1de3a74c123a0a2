/** The images in staging that have a vulnerability, with a link to where it is decided about. */
import type { VulnerabilityDetail } from '@portcullis/contract';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { Panel } from '../../kit/layout/panel.tsx';
import { type Column, defineColumns, quiet, RowName } from '../../kit/table/columns.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import table from '../../kit/table/table.module.css';
import { LongName } from '../../kit/text/long-name.tsx';
import { RelativeTime } from '../../kit/text/relative-time.tsx';
import { AnswerBadge } from '../../kit/verdict/answer-badge.tsx';

type Staged = VulnerabilityDetail['staged'][number];

interface StagedImagesProps {
  staged: Staged[];
  /** Beside the title. */
  actions?: ReactNode;
}

export function StagedImages({ staged, actions }: StagedImagesProps) {
  const t = useMessages('exposure');
  const columns = useColumns();
  if (staged.length === 0) return null;
  return (
    <Panel title={t.stagedTitle} description={t.stagedLead} actions={actions} flush>
      <DataTable rows={staged} columns={columns} keyOf={jobOf} className={table.inner} />
    </Panel>
  );
}

const jobOf = ({ job_id }: Staged) => job_id;

const useColumns = defineColumns('exposure', (t): Column<Staged>[] => [
  {
    id: 'image',
    title: t.image,
    cell: ({ job_id, image, tag }) => (
      <RowName to={`/staging/${job_id}`}>
        <LongName>{`${image}:${tag}`}</LongName>
      </RowName>
    ),
  },
  {
    id: 'standing',
    title: t.standing,
    width: '22%',
    cell: ({ standing }) => standing && <AnswerBadge answer={standing} />,
  },
  quiet({ id: 'owner', title: t.requestedBy, width: '18%', cell: ({ owner }) => owner }),
  quiet({
    id: 'pulled',
    title: t.pulled,
    width: '16%',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  }),
]);
