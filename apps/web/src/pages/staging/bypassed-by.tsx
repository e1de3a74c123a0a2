/** That a pushed image passed the gate only by the privilege of an account, or by waivers. */
import type { Job } from '@portcullis/contract';
import { useWords } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
import { passedPush } from './passed-push.ts';
import classes from './staging.module.css';

export function Bypassed({ job }: { job: Job }) {
  const [t, format] = useWords('staging');
  const push = passedPush(job);
  if (!push) return null;
  if (push.bypassed !== null)
    return <BypassedBy by={push.requested_by} reason={push.bypass_reason} />;
  const firstEnd = push.waivers.map(({ until }) => until).toSorted()[0];
  return (
    <div className={table.reason}>{firstEnd !== undefined && t.waived(format.date(firstEnd))}</div>
  );
}

/** Who bypassed the gate for an image, and why. The page of the job has the whole reason. */
export function BypassedBy({ by, reason }: { by: string; reason: string | null }) {
  const [t, format] = useWords('staging');
  return (
    <div className={`${table.reason} ${classes.bypassed}`}>
      {t.bypassedBy(by)}
      {reason !== null && (
        <>
          {format.colon}
          <q>{reason}</q>
        </>
      )}
    </div>
  );
}
