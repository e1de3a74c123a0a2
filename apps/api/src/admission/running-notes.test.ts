/** What is gathered of started images, and written soon. */
import type { StartedImage } from '@portcullis/domain/admission';
import { expect, it, onTestFinished } from 'vitest';
import { createRunningNotes } from './running-notes.ts';

const image = (nth: number): StartedImage => ({
  ...{ cluster: 'eu', namespace: `n${nth}`, repository: 'team/app', digest: 'sha256:1' },
});
const many = (count: number) => Array.from({ length: count }, (_, nth) => image(nth));

function gathering({ fails = 0 } = {}) {
  const written: StartedImage[][] = [];
  const warnings: string[] = [];
  let faults = fails;
  const notes = createRunningNotes({
    ...{ soonMs: 1, pauseMs: 1 },
    log: { warn: (_: unknown, text?: string) => void warnings.push(text ?? '') },
    async keep(started) {
      if (faults-- > 0) throw new Error('no database');
      written.push(started);
      return { left: 0 };
    },
  });
  onTestFinished(notes.stop);
  return { notes, written, warnings };
}

it('many are written at once, and the same not again', async () => {
  const { notes, written } = gathering();
  for (let nth = 0; nth < 3; nth += 1) notes.note(many(700));
  await expect.poll(() => written.map(({ length }) => length)).toEqual([500, 200]);
  notes.note(many(700));
  await notes.stop();
  expect(written).toHaveLength(2);
});

it('what could not be written is written later, with a warning', async () => {
  const { notes, written, warnings } = gathering({ fails: 2 });
  notes.note(many(2));
  await expect.poll(() => written).toEqual([many(2)]);
  expect(warnings).toEqual([1, 2].map(() => 'what clusters run is not recorded yet'));
});

it('no more waits in memory than has room, and what is lost is said', async () => {
  const { notes, written, warnings } = gathering();
  notes.note(many(12_000));
  await notes.stop();
  expect(written.flat()).toHaveLength(10_000);
  expect(warnings).toEqual(['2000 images that clusters run were not recorded']);
});
