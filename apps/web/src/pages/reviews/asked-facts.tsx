/** What a review request asks to accept, in short: vulnerabilities by severity, and an age. */
import type { Review } from '@portcullis/contract';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { Badge } from '../../kit/verdict/badge.tsx';
import { ExploitedBadge } from '../../kit/verdict/exploited-badge.tsx';
import { SeverityCountsView } from '../../kit/verdict/severity-counts.tsx';

type Asked = Pick<Review, 'counts' | 'exploited' | 'age'>;

export function AskedFacts({ review: { counts, exploited, age } }: { review: Asked }) {
  return (
    <>
      {exploited !== null && exploited > 0 && <ExploitedBadge />}
      <SeverityCountsView counts={counts} />
      {age && <WaitBadge until={age.waits_until} />}
    </>
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
