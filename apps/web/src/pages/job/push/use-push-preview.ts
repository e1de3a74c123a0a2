import { useDebouncedValue } from '@mantine/hooks';
import type { Job } from '@portcullis/contract';
import { keepPreviousData } from '@tanstack/react-query';
import { useAnswer } from '../../../api/api.ts';
import { isComplete, type PushForm, previewQuery } from './push-form.ts';

export type PushPreviewQuery = ReturnType<typeof usePushPreview>;

export function usePushPreview(job: Job, form: PushForm) {
  const [settled] = useDebouncedValue(form, 250);
  return useAnswer(
    'staging.previewPush',
    { query: previewQuery(job.job_id, settled) },
    { enabled: isComplete(settled), staleTime: 0, retry: false, placeholderData: keepPreviousData },
  );
}
