/**
 * In how many namespaces of how many clusters images run. What an agent said that is silent since
 * is old, and not false: it ran there then.
 */
import type { RunningCounts } from '@portcullis/contract';
import { useMessages, useWords } from '../../i18n/messages.ts';
import table from '../table/table.module.css';
import { silenceOf } from './silence.ts';

/** `runs in 3 namespaces of 2 clusters, 1 of them in a silent cluster`. */
export function useRunningText(): (counts: RunningCounts) => string {
  const t = useMessages('running');
  const noteOf = useSilenceNote();
  return (counts) => {
    const places = t.places(counts.namespaces, counts.clusters);
    const text = silenceOf(counts) === 'all' ? t.ran(places) : t.runs(places);
    return [text, noteOf(counts)].filter((part) => part !== null).join(', ');
  };
}

/** Null where no agent is silent. */
export function useSilenceNote(): (counts: RunningCounts) => string | null {
  const [t, format] = useWords('running');
  return (counts) => {
    const silence = silenceOf(counts);
    if (silence === 'none') return null;
    if (silence === 'some') return t.someSilent(counts.silent_namespaces);
    return t.noReportSince(format.dateTime(counts.seen_at));
  };
}

/** Nothing where none is known: that does not say that it runs nowhere. */
export function RunningCount({ running }: { running: RunningCounts | null }) {
  const t = useMessages('running');
  const noteOf = useSilenceNote();
  if (running === null) return null;
  const note = noteOf(running);
  return (
    <>
      {t.places(running.namespaces, running.clusters)}
      {note !== null && <span className={table.under}>{note}</span>}
    </>
  );
}
