/** What the threat feeds say: whether it is exploited, and how probable that is. */
import { Tooltip } from '@mantine/core';
import type { VulnerabilitySummary } from '@portcullis/contract';
import { useFormat, useMessages, useWords } from '../../i18n/messages.ts';
import { Badge } from '../../kit/verdict/badge.tsx';
import { ExploitedBadge } from '../../kit/verdict/exploited-badge.tsx';

/** Lower probabilities say little: most vulnerabilities have one. */
const NOTABLE = 0.1;

interface Threat {
  vulnerability: Pick<VulnerabilitySummary, 'kev' | 'epss'>;
}

export function ThreatBadges({ vulnerability: { kev, epss } }: Threat) {
  const [t, format] = useWords('vulnerabilities');
  return (
    <>
      {kev === true && <ExploitedBadge />}
      {epss !== null && epss >= NOTABLE && <EpssBadge>{t.epss(format.percent(epss))}</EpssBadge>}
    </>
  );
}

/** The probability alone, for a column. */
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
