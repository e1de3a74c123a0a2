import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportFormat } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { createReportFiles } from './report-files.ts';

/** A worker that makes what it is asked for after a while, or never does. */
function filesOf({ binary = 'ready', worker = true } = {}) {
  const made = new Set<ReportFormat>(['json']);
  const asked: string[] = [];
  const file = createReportFiles({
    find: async (jobId, format) =>
      made.has(format) ? { path: `${jobId}.${format}`, mediaType: format } : null,
    async convert(jobId, format) {
      asked.push(`${jobId} ${format}`);
      if (worker) void sleep(30).then(() => made.add(format));
    },
    scanner: { state: async () => ({ binary, message: `it is ${binary}` }) },
    patienceMs: 300,
  });
  return { file, asked };
}

it('what the scan left is there without anybody being asked', async () => {
  const { file, asked } = filesOf({ binary: 'unavailable' });
  expect(await file('job', 'json')).toEqual({ path: 'job.json', mediaType: 'json' });
  expect(asked).toEqual([]);
});

it('another format is made by a worker, once', async () => {
  const { file, asked } = filesOf();
  expect(await file('job', 'sarif')).toEqual({ path: 'job.sarif', mediaType: 'sarif' });
  await file('job', 'sarif');
  expect(asked).toEqual(['job sarif']);
});

it.each([
  ['there is no scanner: nobody is asked', { binary: 'unavailable' }, 'it is unavailable', 0],
  ['no worker answers', { worker: false }, 'try again later', 1],
])('another format can not be had when %s', async (_, situation, message, times) => {
  const { file, asked } = filesOf(situation);
  await expect(file('job', 'spdx')).rejects.toMatchObject({
    code: 'SCANNER_UNAVAILABLE',
    message: expect.stringContaining(message),
  });
  expect(asked).toHaveLength(times);
});
