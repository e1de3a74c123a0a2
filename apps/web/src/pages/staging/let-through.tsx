/** That a pushed image passed the gate only by the privilege of an account, or by waivers. */
import type { Job, PushView } from '@portcullis/contract';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';
import table from '../../kit/table/table.module.css';
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

export function isLetThrough(job: Pick<Job, 'status' | 'pushes'>): boolean {
  return (passedPush(job)?.bypassed ?? null) !== null;
}

function passedPush({ status, pushes }: Pick<Job, 'status' | 'pushes'>): PushView | undefined {
  return status === 'pushed' ? pushes.findLast(hasPassed) : undefined;
}

function hasPassed({ status, bypassed, waivers }: PushView): boolean {
  return status === 'done' && (bypassed !== null || waivers.length > 0);
}
