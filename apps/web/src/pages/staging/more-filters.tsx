/** The filters of the list of jobs by verdict, account and time. */
import { VERDICTS } from '@portcullis/domain';
import { useMessages } from '../../i18n/messages.ts';
import { FilterSelect } from '../../kit/list/filter-select.tsx';
import { WorkFilters } from '../../kit/list/work-filters.tsx';
import type { JobList } from './job-list.ts';

export default function MoreFilters({ list: { state, change } }: { list: JobList }) {
  const t = useMessages('filters');
  const { verdict } = useMessages('verdict');
  return (
    <>
      <FilterSelect
        label={t.verdict}
        values={VERDICTS}
        names={verdict}
        value={state.verdict}
        any={t.anyVerdict}
        onChange={(chosen) => change({ verdict: chosen })}
      />
      <WorkFilters state={state} onChange={change} />
    </>
  );
}
