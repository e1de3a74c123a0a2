/** How the states of the tags of a mirror are named and coloured. */
import type { MirrorTagState } from '@portcullis/domain/mirror';
import {
  IconAlertTriangle,
  IconBarrierBlock,
  IconCircleCheck,
  IconCloudOff,
  IconHistory,
  IconLoader,
  IconTrash,
} from '@tabler/icons-react';
import { useMessages } from '../../../i18n/messages.ts';
import { Badge, type Tone } from '../../../kit/verdict/badge.tsx';

const LOOKS: Record<MirrorTagState, [Tone, typeof IconHistory]> = {
  refused: ['critical', IconBarrierBlock],
  behind: ['medium', IconHistory],
  failed: ['critical', IconAlertTriangle],
  withdrawn: ['medium', IconTrash],
  unanswered: ['medium', IconCloudOff],
  coming: ['wait', IconLoader],
  current: ['good', IconCircleCheck],
};

export function StateBadge({ state }: { state: MirrorTagState }) {
  const t = useMessages('mirror');
  const [tone, icon] = LOOKS[state];
  return (
    <Badge tone={tone} icon={icon}>
      {t.states[state]}
    </Badge>
  );
}
