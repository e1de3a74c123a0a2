/** That a pushed image passed the gate only by the privilege of an account, or by waivers. */
import type { Job } from '@portcullis/contract';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { passedPush } from './passed-push.ts';
import classes from './staging.module.css';

export function LetThrough({ job }: { job: Job }) {
  const t = useMessages('staging');
  const format = useFormat();
  const push = passedPush(job);
  if (!push) return null;
  if (push.bypassed !== null)
    return <LetThroughBy by={push.requested_by} reason={push.bypass_reason} />;
  const firstEnd = push.waivers.map(({ until }) => until).toSorted()[0];
  return (
    <div className={table.reason}>{firstEnd !== undefined && t.waived(format.date(firstEnd))}</div>
  );
}

/** Who let an image through, and why. A reason may be long; the page of the job has all of it. */
export function LetThroughBy({ by, reason }: { by: string; reason: string | null }) {
  const t = useMessages('staging');
  const format = useFormat();
  return (
    <div className={`${table.reason} ${classes.letThrough}`}>
      {t.letThrough(by)}
      {reason !== null && (
        <>
          {format.colon}
          <q>{reason}</q>
        </>
      )}
    </div>
  );
}
