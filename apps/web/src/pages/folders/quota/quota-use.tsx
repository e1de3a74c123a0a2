/** How much of its quota a folder uses, in words and as a meter. */
import { useWords } from '../../../i18n/messages.ts';
import classes from './quota-use.module.css';

const NEARLY_FULL = 0.9;

export function QuotaUse({ bytes, quota }: { bytes: number; quota: number }) {
  const [t, format] = useWords('folder');
  const text = t.quotaUse(format.bytes(bytes), format.bytes(quota));
  const state = bytes >= quota ? 'full' : bytes >= quota * NEARLY_FULL ? 'nearly' : undefined;
  return (
    <span className={classes.use} title={t.bytesHint}>
      {text}
      <meter
        className={classes.meter}
        aria-label={t.quotaMeter}
        aria-valuetext={text}
        max={quota}
        value={bytes}
        data-state={state}
      />
      {state && (
        <strong className={classes.state} data-state={state}>
          {t.quotaStates[state]}
        </strong>
      )}
    </span>
  );
}
