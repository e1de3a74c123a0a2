import type { Store } from '@portcullis/store';
import { expect, it } from 'vitest';
import { announcingReports } from './announced-reports.ts';

const REPORT = { digest: 'sha256:a' } as Parameters<Store['reports']['record']>[0];
const SCAN = { digest: 'sha256:b' };

function storeOf(record: () => Promise<void>): Store {
  const parts = {
    reports: { record, confirm: async () => 2 },
    rescans: { fail: async () => {} },
    signatureFacts: { save: async () => ['sha256:a', 'sha256:index'], record: async () => [] },
    scans: { finish: async () => true, find: async () => SCAN },
  };
  return parts as unknown as Store;
}

function announced(record = async () => {}) {
  const said: string[][] = [];
  const store = announcingReports(storeOf(record), {
    publish: async (digests) => void said.push([...digests]),
    log: { warn: () => {} },
  });
  return { said, store };
}

it('a new report is announced, also where the answer of the write was lost', async () => {
  const { said, store } = announced(() => Promise.reject(new Error('connection lost')));
  await expect(store.reports.record(REPORT)).rejects.toThrow('connection lost');
  expect(said).toEqual([['sha256:a']]);
});

it('reports on the manifests of an index are stored and announced with its own', async () => {
  const stored: unknown[] = [];
  const { said, store } = announced(async (...given: unknown[]) => void stored.push(given));
  const parts = [{ digest: 'sha256:part', report: REPORT.report }];
  await store.reports.record(REPORT, parts);
  expect(stored).toEqual([[REPORT, parts]]);
  expect(said).toEqual([['sha256:a', 'sha256:part']]);
});

it('reports that a newer database confirmed are announced', async () => {
  const { said, store } = announced();
  await store.reports.confirm(['sha256:a', 'sha256:b'], null, 'today');
  expect(said).toEqual([['sha256:a', 'sha256:b']]);
});

it.each([
  ['a failed scan is announced', { code: 'SCAN_FAILED', message: '' }, [['sha256:b']]],
  ['a finished scan is not, because its report was', null, []],
])('%s', async (_, error, expected) => {
  const { said, store } = announced();
  await store.scans.finish('id', 1, { error });
  expect(said).toEqual(expected);
});

it('what could not be scanned after its push is announced', async () => {
  const { said, store } = announced();
  const rescan = { digest: 'sha256:c', repository: 'team/app', attempts: 1 };
  await store.rescans.fail(rescan, { code: 'SCAN_FAILED', message: '' }, false);
  expect(said).toEqual([['sha256:c']]);
});

it('a report is stored although Redis is away', async () => {
  const store = announcingReports(
    storeOf(async () => {}),
    {
      publish: () => Promise.reject(new Error('no Redis')),
      log: { warn: () => {} },
    },
  );
  await expect(store.reports.record(REPORT)).resolves.toBeUndefined();
});

it('facts about signatures are announced where they changed, with what they cover', async () => {
  const { said, store } = announced();
  const read = { digest: 'sha256:a', registry: 'ghcr.io', repository: 'acme/app' };
  const found = { facts: [], askedOf: {}, unread: 0, isComplete: true, root: '2026-11-05' };
  await store.signatureFacts.save({ ...read, attempts: 1, noted: 0 }, found);
  expect(said).toEqual([['sha256:a', 'sha256:index']]);
  await store.signatureFacts.record(read, found);
  expect(said).toHaveLength(1);
});
