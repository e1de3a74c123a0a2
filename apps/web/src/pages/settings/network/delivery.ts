/** Test deliveries and their results. */

import type { Delivery } from '@portcullis/contract';
import { call } from '../../../api/api.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';

export interface DeliveryTry {
  label: string;
  run(): Promise<Delivery>;
}

export function useDeliveries(): { syslog: DeliveryTry[]; email: DeliveryTry[] } {
  const t = useMessages('network');
  return {
    syslog: [{ label: t.test, run: () => outcomeOf(call('network.testSyslog')) }],
    email: [
      { label: t.test, run: () => outcomeOf(call('network.testEmail')) },
      { label: t.send, run: () => outcomeOf(call('network.sendEmail')) },
    ],
  };
}

/** A 502 is a result too: the collector refused, and the body has the details. */
async function outcomeOf(attempt: Promise<Delivery>): Promise<Delivery> {
  return attempt.catch((error: unknown) => {
    if (isProblem(error) && error.status === 502 && isDelivery(error.answer)) return error.answer;
    throw error;
  });
}

function isDelivery(answer: unknown): answer is Delivery {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'delivered' in answer &&
    'transcript' in answer &&
    Array.isArray(answer.transcript)
  );
}
