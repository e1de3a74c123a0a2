import type { Verdict } from '@portcullis/domain';
import {
  IconBarrierBlock,
  IconCircleCheck,
  IconClock,
  IconEyeOff,
  IconInfoCircle,
  IconQuestionMark,
  IconShieldX,
} from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { Badge, type Tone } from './badge.tsx';

const LOOKS: Record<Verdict, [Tone, typeof IconClock]> = {
  pending: ['unknown', IconClock],
  clean: ['good', IconCircleCheck],
  findings: ['medium', IconInfoCircle],
  blocked: ['critical', IconBarrierBlock],
  skipped: ['unknown', IconEyeOff],
  unscannable: ['high', IconQuestionMark],
  error: ['high', IconShieldX],
};

export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const t = useMessages('verdict');
  const [tone, icon] = LOOKS[verdict];
  return (
    <Badge tone={tone} icon={icon}>
      {t.verdict[verdict]}
    </Badge>
  );
}
