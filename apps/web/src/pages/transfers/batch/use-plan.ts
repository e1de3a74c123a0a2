/** The plan of a transfer, loaded on demand. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/api.ts';
import { type BatchForm, batchBody } from './batch-form.ts';

export function usePlan(form: BatchForm) {
  const now = JSON.stringify(batchBody(form));
  const [asked, setAsked] = useState<{ body: string; at: number } | null>(null);
  const plan = useQuery({
    queryKey: ['transfers.planTransfer', asked?.body, asked?.at],
    queryFn: () => call('transfers.planTransfer', { body: JSON.parse(asked?.body ?? '{}') }),
    enabled: asked !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return {
    plan,
    stale: asked !== null && asked.body !== now,
    look: () => setAsked({ body: now, at: Date.now() }),
  };
}
