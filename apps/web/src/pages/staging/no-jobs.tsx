/** The list of jobs without one that matches: what to do about it. */
import { IconStack2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../../i18n/messages.ts';
import { EmptyState } from '../../kit/layout/empty-state.tsx';
import { NoMatch } from '../../kit/layout/no-match.tsx';
import { NoRights } from '../../session/no-rights.tsx';
import { useHasRights } from '../../session/use-has-rights.ts';
import { isFiltered, type JobListFilter } from './job-filter.ts';

interface NoJobsProps {
  filter: JobListFilter;
  onClear(): void;
  /** What adds a job. */
  children: ReactNode;
}

export default function NoJobs({ filter, onClear, children }: NoJobsProps) {
  const t = useMessages('staging');
  const hasRights = useHasRights();
  if (!hasRights) return <NoRights />;
  if (!isFiltered(filter))
    return (
      <EmptyState icon={IconStack2} title={t.emptyTitle} text={t.emptyText}>
        {children}
      </EmptyState>
    );
  return <NoMatch title={t.noMatchTitle} text={t.noMatchText} clear={t.clear} onClear={onClear} />;
}
