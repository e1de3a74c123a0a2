import type { Waiver } from '@portcullis/contract';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { Badge, type Tone } from '../../kit/verdict/badge.tsx';

const TONES = {
  requested: 'wait',
  approved: 'good',
  expired: 'unknown',
  rejected: 'high',
  revoked: 'unknown',
} as const satisfies Record<Waiver['state'], Tone>;

export function WaiverState({ waiver: { state, in_force } }: { waiver: Waiver }) {
  const t = useMessages('waivers');
  if (state === 'approved' && !in_force) return <Badge tone="high">{t.notInForce}</Badge>;
  return <Badge tone={TONES[state]}>{t.states[state]}</Badge>;
}

/** "Ends in 6 days", with the exact time as tooltip. */
export function WaiverEnd({ waiver: { expires_at: end } }: { waiver: Waiver }) {
  const [t, format] = useWords('waivers');
  const words = Date.parse(end) > Date.now() ? t.ends : t.ended;
  return (
    <time dateTime={end} title={format.dateTime(end)}>
      {words(format.relative(end))}
    </time>
  );
}
