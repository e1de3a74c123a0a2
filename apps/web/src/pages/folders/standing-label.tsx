/** How the images of a folder are named and coloured by their standing. */
import type { StandingGroup } from '@portcullis/domain';
import {
  IconBarrierBlock,
  IconCircleCheck,
  IconFileCode,
  IconQuestionMark,
} from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { Badge, type Tone } from '../../kit/verdict/badge.tsx';

export const STANDING_LOOKS: Record<StandingGroup, [Tone, typeof IconBarrierBlock]> = {
  blocked: ['critical', IconBarrierBlock],
  findings: ['good', IconCircleCheck],
  unscanned: ['unknown', IconQuestionMark],
  clean: ['good', IconCircleCheck],
  artifact: ['unknown', IconFileCode],
};

export function StandingBadge({ standing }: { standing: StandingGroup }) {
  const t = useMessages('folder');
  const [tone, icon] = STANDING_LOOKS[standing];
  return (
    <Badge tone={tone} icon={icon}>
      {t.badges[standing]}
    </Badge>
  );
}
