import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportFormat } from '@portcullis/contract';
import { invalid, notFound } from '@portcullis/errors';
import { expect, it } from 'vitest';
import { createReportFiles, type WantedReport } from './report-files.ts';

const NAME = { registry: 'registry.example', repository: 'app', tag: '1', digest: 'sha256:00' };
const IMAGE = { jobId: 'job', name: NAME };
const all = (format: ReportFormat): WantedReport => ({ format, platform: null });

/** A worker that makes what it is asked for after a while, or never does. */
function filesOf({ binary = 'ready', worker = true } = {}) {
  const made = new Set<string>();
  const asked: string[] = [];
  const file = createReportFiles({
    find: async (jobId, { format, platform }) =>
      made.has(`${format} ${platform}`) ? { path: `${jobId}.${format}`, mediaType: format } : null,
    name: async (jobId, { format }, image) => ({ path: `${jobId} ${image.repository}`, mediaType: format }),
    async convert(jobId, format, platform) {
      asked.push(`${jobId} ${format} ${platform}`);
      if (worker) void sleep(30).then(() => made.add(`${format} ${platform}`));
    },
    scanner: { state: async () => ({ binary, message: `it is ${binary}` }) },
    patienceMs: 300,
  });
  return { file, asked };
}

it('what the scan left is named here, without a worker', async () => {
  const { file, asked } = filesOf({ binary: 'unavailable' });
  expect(await file(IMAGE, all('json'))).toEqual({ path: 'job app', mediaType: 'json' });
  expect(asked).toEqual([]);
});

it('another format is made by a worker, once', async () => {
  const { file, asked } = filesOf();
  expect(await file(IMAGE, all('sarif'))).toEqual({ path: 'job.sarif', mediaType: 'sarif' });
  await file(IMAGE, all('sarif'));
  await file(IMAGE, { format: 'sarif', platform: 'linux/arm64' });
  expect(asked).toEqual(['job sarif null', 'job sarif linux/arm64']);
});

it.each([
  ['no report was kept', notFound('REPORT_NOT_FOUND', 'none'), 'REPORT_UNKNOWN'],
  ['the platform is not among them', invalid('PLATFORM_UNKNOWN', 'no'), 'PLATFORM_UNKNOWN'],
])('a fault says so where %s', async (_, fault, code) => {
  const never = () => Promise.reject(new Error('not reached'));
  const find = () => Promise.reject(fault);
  const file = createReportFiles({ find, name: never, convert: never, scanner: { state: never } });
  await expect(file(IMAGE, all('sarif'))).rejects.toMatchObject({ code });
});

it.each([
  ['there is no scanner: nobody is asked', { binary: 'unavailable' }, 'it is unavailable', 0],
  ['no worker answers', { worker: false }, 'try again later', 1],
])('another format can not be had when %s', async (_, situation, message, times) => {
  const { file, asked } = filesOf(situation);
  await expect(file(IMAGE, all('spdx'))).rejects.toMatchObject({
    code: 'SCANNER_UNAVAILABLE',
    message: expect.stringContaining(message),
  });
  expect(asked).toHaveLength(times);
});
