/** What a review request asks to accept, in short: vulnerabilities, an age, and signatures. */
import type { Review } from '@portcullis/contract';
import { IconClock, IconSignatureOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { Badge } from '../../kit/verdict/badge.tsx';
import { ExploitedBadge } from '../../kit/verdict/exploited-badge.tsx';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';

type Asked = Pick<Review, 'counts' | 'exploited' | 'age' | 'signatures'>;

export function AskedFacts({ review }: { review: Asked }) {
  const { counts, exploited, age, signatures } = review;
  return (
    <>
      {exploited !== null && exploited > 0 && <ExploitedBadge />}
      <SeverityCountsView counts={counts} />
      {age && <WaitBadge until={age.waits_until} />}
      {signatures && <UnsignedBadge />}
    </>
  );
}

export function UnsignedBadge() {
  const { unsigned } = useMessages('reviews');
  return (
    <Badge tone="high" icon={IconSignatureOff}>
      {unsigned}
    </Badge>
  );
}

/** What was asked for stays in the list after the wait. */
export function WaitBadge({ until }: { until: string }) {
  const [{ answer: t }, format] = useWords('verdict');
  const { tooYoung } = useMessages('reviews');
  const [now] = useState(Date.now);
  return (
    <Badge tone="wait" icon={IconClock}>
      {Date.parse(until) > now ? t.waitsUntil(format.dateTime(until)) : tooYoung}
    </Badge>
  );
}
