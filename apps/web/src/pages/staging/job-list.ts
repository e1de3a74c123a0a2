import { defineList, useList } from '../../kit/list/use-list.ts';
import { JOB_FILTER } from './job-filter.ts';
import { tagSuffix } from './tag-suffix.ts';

const JOBS = defineList({
  operation: 'staging.listJobs',
  filter: JOB_FILTER,
  keyOf: ({ job_id }) => job_id,
  nameOf: ({ image, tag }) => image + tagSuffix(tag),
});

export const useJobList = () => useList(JOBS);
export type JobList = ReturnType<typeof useJobList>;
