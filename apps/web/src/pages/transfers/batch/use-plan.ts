/** The plan of a transfer, loaded on demand. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/api.ts';
import { type BatchForm, batchBody } from './batch-form.ts';

export function usePlan(form: BatchForm) {
  const now = JSON.stringify(batchBody(form));
  const [planned, setPlanned] = useState<{ body: string; at: number } | null>(null);
  const plan = useQuery({
    queryKey: ['transfers.planTransfer', planned?.body, planned?.at],
    queryFn: () => call('transfers.planTransfer', { body: JSON.parse(planned?.body ?? '{}') }),
    enabled: planned !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return {
    plan,
    stale: planned !== null && planned.body !== now,
    look: () => setPlanned({ body: now, at: Date.now() }),
  };
}
