/** The state of a delivery as a badge. */
import type { WebhookDelivery } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import { Badge, type Tone } from '../../../kit/verdict/badge.tsx';

const TONES: Record<WebhookDelivery['state'], Tone> = {
  waiting: 'wait',
  delivered: 'good',
  failed: 'critical',
};

/** One that waits after a failed attempt says so. */
export function DeliveryState({ delivery }: { delivery: WebhookDelivery }) {
  const t = useMessages('webhooks');
  const { state, attempts } = delivery;
  const again = state === 'waiting' && attempts > 0;
  return (
    <Badge tone={again ? 'high' : TONES[state]}>{again ? t.triedAgain : t.states[state]}</Badge>
  );
}
