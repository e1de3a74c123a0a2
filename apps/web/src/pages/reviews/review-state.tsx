/** The state of a review request as a badge. */
import type { Review } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import { Badge, type Tone } from '../../kit/verdict/badge.tsx';

const TONES: Record<Review['state'], Tone> = {
  open: 'wait',
  approved: 'good',
  partly_approved: 'medium',
  rejected: 'critical',
  withdrawn: 'unknown',
  expired: 'unknown',
};

export function ReviewState({ state }: Pick<Review, 'state'>) {
  const { states } = useMessages('reviews');
  return <Badge tone={TONES[state]}>{states[state]}</Badge>;
}
