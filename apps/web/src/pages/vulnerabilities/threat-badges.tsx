/** What the threat feeds say: whether it is exploited, and how probable that is. */
import { Tooltip } from '@mantine/core';
import type { VulnerabilitySummary } from '@portcullis/contract';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import { Badge } from '../../kit/verdict/badge.tsx';
import { ExploitedBadge } from '../../kit/verdict/exploited-badge.tsx';

/** Lower probabilities say little: most vulnerabilities have one. */
const NOTABLE = 0.1;

export function ThreatBadges({
  vulnerability: { kev, epss },
}: {
  vulnerability: Pick<VulnerabilitySummary, 'kev' | 'epss'>;
}) {
  const t = useMessages('vulnerabilities');
  const format = useFormat();
  return (
    <>
      {kev === true && <ExploitedBadge />}
      {epss !== null && epss >= NOTABLE && (
        <Tooltip label={t.epssHint}>
          <span>
            <Badge tone="high">{t.epss(format.percent(epss))}</Badge>
          </span>
        </Tooltip>
      )}
    </>
  );
}
