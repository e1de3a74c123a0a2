import type { TransferStatus } from '@portcullis/domain';
import { IconAlertTriangle, IconBan, IconCircleCheck, IconLoader2 } from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { Badge, type Tone } from '../../kit/verdict/badge.tsx';

const LOOKS: Record<TransferStatus, [Tone, typeof IconBan]> = {
  running: ['wait', IconLoader2],
  done: ['good', IconCircleCheck],
  partly_failed: ['high', IconAlertTriangle],
  failed: ['critical', IconAlertTriangle],
  cancelled: ['unknown', IconBan],
};

export function TransferStatusBadge({ status }: { status: TransferStatus }) {
  const t = useMessages('transfers');
  const [tone, icon] = LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {t.status[status]}
    </Badge>
  );
}
