/** Shows the state of a transfer. */
import type { ScheduleView, TransferView } from '@portcullis/contract';
import type { TransferStatus } from '@portcullis/domain';
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconKey,
  IconLoader2,
  IconShieldX,
} from '@tabler/icons-react';
import { useMessages } from '../../i18n/messages.ts';
import { Badge, type Tone } from '../../kit/verdict/badge.tsx';
import { groupCounts } from './job-groups.ts';

export type ShownStatus =
  | TransferStatus
  | 'blocked'
  | 'partly_blocked'
  | 'bypassed'
  | 'partly_bypassed';

export const STATUS_LOOKS: Record<ShownStatus, [Tone, typeof IconBan]> = {
  running: ['wait', IconLoader2],
  done: ['good', IconCircleCheck],
  bypassed: ['high', IconKey],
  partly_bypassed: ['high', IconKey],
  partly_failed: ['high', IconAlertTriangle],
  failed: ['critical', IconAlertTriangle],
  blocked: ['high', IconShieldX],
  partly_blocked: ['high', IconShieldX],
  cancelled: ['unknown', IconBan],
};

/** A transfer that only the gate stopped has not failed; one that bypassed it is not just done. */
function shownStatus(transfer: TransferView): ShownStatus {
  const { status, selections, bypassed, outcomes } = transfer;
  if (status === 'done' && bypassed > 0)
    return bypassed < outcomes.pushed ? 'partly_bypassed' : 'bypassed';
  const isFailed = groupCounts(transfer).failed > 0;
  if (transfer.blocked === 0 || isFailed || selections.some(({ state }) => state === 'failed'))
    return status;
  if (status === 'failed') return 'blocked';
  return status === 'partly_failed' ? 'partly_blocked' : status;
}

/** Of a run of a schedule, whose images are not counted. */
export function shownRunStatus({
  status,
  blocked,
}: ScheduleView['recent_runs'][number]): ShownStatus {
  if (!blocked) return status;
  return status === 'failed' ? 'blocked' : 'partly_blocked';
}

export function TransferStatusBadge({ transfer }: { transfer: TransferView }) {
  const t = useMessages('transfers');
  const status = shownStatus(transfer);
  const [tone, icon] = STATUS_LOOKS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {t.status[status]}
    </Badge>
  );
}
