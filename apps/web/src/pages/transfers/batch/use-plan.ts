/** The plan of a transfer, loaded on demand. */
import type { TransferPlan } from '@portcullis/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/api.ts';
import { shownPlace } from '../../../kit/text/shown-place.ts';
import { type BatchForm, batchBody } from './batch-form.ts';

export function usePlan(form: BatchForm) {
  const now = JSON.stringify(batchBody(form));
  const [planned, setPlanned] = useState<{ body: string; to: string; at: number } | null>(null);
  const plan = useQuery({
    queryKey: ['transfers.planTransfer', planned?.body, planned?.at],
    queryFn: async () => {
      const body = JSON.parse(planned?.body ?? '{}');
      return shown(await call('transfers.planTransfer', { body }), planned?.to ?? null);
    },
    enabled: planned !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return {
    plan,
    stale: planned !== null && planned.body !== now,
    look: () => setPlanned({ body: now, to: form.to, at: Date.now() }),
  };
}

function shown(plan: TransferPlan, registryId: string | null): TransferPlan {
  const items = plan.items.map((item) => ({
    ...item,
    destination: item.destination && shownPlace(item.destination, registryId),
  }));
  return { ...plan, items };
}
