/** The timeline of a job as the JSON column holds it. */
import { STATUS_CHANGED, type TimelineEntry, timelineNote } from '@portcullis/domain';

type StoredEntry = Omit<TimelineEntry, 'at'> & { at: string; note?: string | null };

/** With the sentence of each entry, because older releases that run beside this one read it. */
export function toTimelineColumn(timeline: readonly TimelineEntry[]) {
  return timeline.map((entry) => ({ ...entry, note: timelineNote(entry) }));
}

/** An older release that runs beside this one writes entries without a kind. */
export function fromTimelineColumn(column: readonly StoredEntry[]): TimelineEntry[] {
  return column.map(({ note = null, at, ...entry }) => {
    const legacy = note === null ? STATUS_CHANGED : { kind: 'noted', message: note };
    return { ...legacy, ...entry, at: new Date(at) } as TimelineEntry;
  });
}
