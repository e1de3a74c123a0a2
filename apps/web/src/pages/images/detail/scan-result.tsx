import { Anchor } from '@mantine/core';
import type { ImageVerdict } from '@portcullis/contract';
import { SEVERITIES } from '@portcullis/domain';
import { Link } from 'react-router';
import { useMessages } from '../../../i18n/messages.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import { useSeverityList } from '../../../kit/verdict/severity-list.ts';
import { VerdictBadge } from '../../../kit/verdict/verdict-badge.tsx';
import classes from '../images.module.css';

/** The result of an image's scan, with a link to its job if the account may see it. */
export function ScanResult({ scan }: { scan: ImageVerdict }) {
  const t = useMessages('images');
  return (
    <>
      <VerdictBadge verdict={scan.verdict} />{' '}
      <span className={classes.result}>
        <Result scan={scan} />
      </span>
      <Dimmed mt={2}>
        {t.judged} <RelativeTime at={scan.at} />
        {scan.job_id !== null && (
          <>
            {' · '}
            <Anchor component={Link} to={`/staging/${scan.job_id}`} size="sm" underline="always">
              {t.seeScan}
            </Anchor>
          </>
        )}
      </Dimmed>
    </>
  );
}

function Result({ scan: { verdict, counts } }: { scan: ImageVerdict }) {
  const t = useMessages('verdict');
  const severityList = useSeverityList();
  if (verdict === 'pending') return null;
  if (verdict !== 'findings' && verdict !== 'blocked') return t.means[verdict];
  if (counts === null) return null;
  const total = SEVERITIES.reduce((sum, each) => sum + counts[each], 0);
  return t.found(t.findings(total), severityList(counts, SEVERITIES));
}
