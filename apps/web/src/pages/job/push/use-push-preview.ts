import { useDebouncedValue } from '@mantine/hooks';
import type { Job } from '@portcullis/contract';
import { keepPreviousData } from '@tanstack/react-query';
import { useAnswer } from '../../../api/api.ts';
import { isComplete, type PushForm, previewQuery } from './push-form.ts';

export type PushPreviewQuery = ReturnType<typeof usePushPreview>;

export function usePushPreview(job: Job, form: PushForm) {
  const [settled] = useDebouncedValue(form, 250);
  const query = previewQuery(job.job_id, settled);
  const preview = useAnswer(
    'staging.previewPush',
    { query },
    { enabled: isComplete(settled), staleTime: 0, retry: false, placeholderData: keepPreviousData },
  );
  const isAsked = JSON.stringify(query) === JSON.stringify(previewQuery(job.job_id, form));
  /** Whether it is of what the form says now: while someone types, it is of what was there. */
  const isCurrent = isAsked && !preview.isPlaceholderData;
  return { ...preview, isCurrent };
}
