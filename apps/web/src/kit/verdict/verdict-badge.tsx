/** Shows a verdict by a word, a tone and an icon. */
import type { Verdict } from '@portcullis/domain';
import {
  IconBarrierBlock,
  IconCircleCheck,
  IconClock,
  IconEyeOff,
  IconQuestionMark,
  IconShieldX,
} from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { Badge, type Tone } from './badge.tsx';
import classes from './verdict-badge.module.css';

const LOOKS: Record<Verdict, [Tone, typeof IconClock]> = {
  pending: ['unknown', IconClock],
  clean: ['good', IconCircleCheck],
  findings: ['good', IconCircleCheck],
  blocked: ['critical', IconBarrierBlock],
  skipped: ['unknown', IconEyeOff],
  unscannable: ['high', IconQuestionMark],
  error: ['high', IconShieldX],
};

export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const t = useMessages('verdict');
  const [tone, icon] = LOOKS[verdict];
  const short: Partial<Record<Verdict, string>> = t.short;
  return (
    <Badge tone={tone} icon={icon}>
      {verdict === 'findings' ? (
        t.answer.passes
      ) : (
        <Words long={t.verdict[verdict]} short={short[verdict]} />
      )}
    </Badge>
  );
}

/** One of the two is shown: the short one where a table is narrow. */
function Words({ long, short }: { long: string; short?: string | undefined }) {
  if (short === undefined) return long;
  return (
    <>
      <span className={classes.long}>{long}</span>
      <span className={classes.short}>{short}</span>
    </>
  );
}
