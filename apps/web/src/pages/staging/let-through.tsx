/** That a pushed image passed the gate only by the privilege of an account, or by waivers. */
import type { Job, PushView } from '@portcullis/contract';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';

export function LetThrough({ job }: { job: Job }) {
  const t = useMessages('staging');
  const format = useFormat();
  const push = job.status === 'pushed' ? job.pushes.findLast(wasLetThrough) : undefined;
  if (!push) return null;
  const firstEnd = push.waivers.map(({ until }) => until).toSorted()[0];
  return (
    <div className={table.reason}>
      {push.bypassed === null && firstEnd !== undefined
        ? t.waived(format.date(firstEnd))
        : t.letThrough(push.requested_by)}
    </div>
  );
}

function wasLetThrough({ status, bypassed, waivers }: PushView): boolean {
  return status === 'done' && (bypassed !== null || waivers.length > 0);
}
