import { text } from 'node:stream/consumers';
import { exportNames, type ImageDocument, REPORT_LIST } from '@portcullis/scanner';
import { PATIENCE_MS, slowness } from '@portcullis/testing';
import { expect, it } from 'vitest';
import { createJobDocuments } from './job-documents.ts';

const { file, refusal } = exportNames({ format: 'spdx', platform: null });

interface Situation {
  binary?: string;
  /** What the worker does: converts the report, refuses it as too large, or nothing. */
  worker?: 'makes' | 'refuses' | 'none';
}

function documentsOf(
  jobs: Record<string, string[]>,
  { binary = 'ready', worker = 'makes' }: Situation = {},
) {
  const kept = new Map(Object.entries(jobs).map(([id, names]) => [id, new Set(names)]));
  const conversions: string[] = [];
  let queries = 0;
  const documents = createJobDocuments(
    {
      kept: {
        async namesOfAll(ids) {
          queries += 1;
          return new Map([...kept].filter(([id]) => ids.includes(id)));
        },
        async *read(id, name) {
          if (kept.get(id)?.has(name)) yield Buffer.from(`${name} of ${id}`);
        },
      },
      async convert(id, format) {
        conversions.push(`${id} ${format}`);
        const made = worker === 'makes' ? file : refusal;
        if (worker !== 'none') void slowness(20).then(() => kept.get(id)?.add(made));
      },
      scanner: { state: async () => ({ binary, message: `it is ${binary}` }) },
      timeoutMs: worker === 'none' ? 400 : PATIENCE_MS,
    },
    Object.keys(jobs),
    'spdx',
  );
  return { ...documents, conversions, queries: () => queries };
}

async function read(document: ImageDocument): Promise<string | null> {
  return 'content' in document ? text(document.content) : document.fault;
}

it('reads what is converted already, and asks about several jobs in one query', async () => {
  const ids = Array.from({ length: 8 }, (_, n) => `job${n}`);
  const { open, conversions, queries } = documentsOf(
    Object.fromEntries(ids.map((id) => [id, ['a.json', file]])),
  );
  for (const id of ids) expect(await read(await open(id))).toBe(`${file} of ${id}`);
  expect([conversions, queries()]).toEqual([[], 1]);
});

it('requests conversions ahead, each once, also when the document is opened again', async () => {
  const { open, conversions } = documentsOf({ one: ['a.json'], two: ['a.json'] });
  for (const id of ['one', 'one', 'two'])
    expect(await read(await open(id))).toBe(`${file} of ${id}`);
  expect(conversions).toEqual(['one spdx', 'two spdx']);
});

it.each<[string, string[], Situation, string | null]>([
  ['the scan made no report', [REPORT_LIST], {}, null],
  ['there was no scan', [], {}, null],
  ['it is too large', ['a.json'], { worker: 'refuses' }, 'too large'],
  ['it was too large before', ['a.json', refusal], { worker: 'none' }, 'too large'],
  ['no worker answers', ['a.json'], { worker: 'none' }, 'try again later'],
])('has no document if %s', async (_, names, situation, fault) => {
  const shown = await read(await documentsOf({ job: names }, situation).open('job'));
  if (fault === null) expect(shown).toBeNull();
  else expect(shown).toContain(fault);
});

it('does not wait again for a worker that did not answer, but keeps what exists', async () => {
  const jobs = { one: ['a.json'], two: ['a.json'], three: [file] };
  const { open, queries } = documentsOf(jobs, { worker: 'none' });
  await open('one');
  const before = queries();
  expect(await open('two')).toHaveProperty('fault');
  expect(queries()).toBe(before + 1);
  expect(await open('three')).toHaveProperty('content');
});

it('is unavailable at once where a conversion needs a scanner and there is none', async () => {
  const without = { binary: 'unavailable' };
  await expect(documentsOf({ job: ['a.json'] }, without).prepare()).rejects.toMatchObject({
    code: 'SCANNER_UNAVAILABLE',
  });
  await expect(documentsOf({ job: [file] }, without).prepare()).resolves.toBeUndefined();
});
