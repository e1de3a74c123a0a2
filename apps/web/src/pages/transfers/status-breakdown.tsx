/** Shows how many images of a transfer are in which state. */
import type { TransferView } from '@portcullis/contract';
import { useMessages } from '../../i18n/messages.ts';
import { type GroupName, groupCounts } from './job-groups.ts';
import classes from './transfers.module.css';

const ORDER: readonly GroupName[] = [
  'done',
  'review',
  'blocked',
  'failed',
  'cancelled',
  'running',
  'waiting',
];

/** The number of jobs per status, as a bar and as text, and of those that bypassed the gate. */
export function StatusBreakdown({ transfer }: { transfer: TransferView }) {
  const t = useMessages('transfers');
  const groups = groupCounts(transfer);
  const present = ORDER.filter((name) => groups[name] > 0);
  return (
    <div>
      <div className={classes.tally} aria-hidden="true">
        {present.map((name) => (
          <span
            key={name}
            data-group={name}
            style={{ width: `${(groups[name] / groups.total) * 100}%` }}
          />
        ))}
      </div>
      <div className={classes.counts}>
        {present.map((name) => (
          <span key={name} data-group={name}>
            {t.group[name](groups[name])}
          </span>
        ))}
        {transfer.bypassed > 0 && <span>{t.bypassed(transfer.bypassed)}</span>}
      </div>
    </div>
  );
}
