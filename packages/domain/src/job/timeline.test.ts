import { expect, it } from 'vitest';
import { type TimelineEvent, timelineNote } from './timeline.ts';

const message = 'the registry is away';

it.each<[TimelineEvent, string | null]>([
  [{ kind: 'status_changed' }, null],
  [{ kind: 'retried' }, 'retried'],
  [{ kind: 'push_requested', destination: 'local/team/app:1' }, 'to local/team/app:1'],
  [{ kind: 'failed', code: 'REGISTRY_DOWN', message }, message],
  [
    { kind: 'retry_scheduled', code: 'REGISTRY_DOWN', message, seconds: 4 },
    `${message}; again in 4 s`,
  ],
])('the REST API shows %j as %j', (event, note) => {
  expect(timelineNote(event)).toBe(note);
});
