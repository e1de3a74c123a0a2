/** How probable it is that a vulnerability is exploited. */
import { Tooltip } from '@mantine/core';
import { useFormat, useMessages } from '../../i18n/messages.ts';
import { Badge } from '../../kit/verdict/badge.tsx';

/** Lower probabilities say little: most vulnerabilities have one. */
const NOTABLE = 0.1;

export function Probability({ epss }: { epss: number }) {
  const format = useFormat();
  const words = format.probability(epss);
  return epss >= NOTABLE ? <EpssBadge>{words}</EpssBadge> : words;
}

function EpssBadge({ children }: { children: string }) {
  const t = useMessages('vulnerabilities');
  return (
    <Tooltip label={t.epssHint}>
      <span>
        <Badge tone="high">{children}</Badge>
      </span>
    </Tooltip>
  );
}
