import { text } from 'node:stream/consumers';
import { exportNames, REPORT_LIST } from '@portcullis/scanner';
import { PATIENCE_MS, slowness } from '@portcullis/testing';
import { expect, it } from 'vitest';
import {
  createReportFiles,
  type ReportDownload,
  type RequestedReport,
  type ScanFormat,
} from './report-files.ts';

const NAME = { registry: 'registry.example', repository: 'app', tag: '1', digest: 'sha256:00' };
const JOB = { id: 'job', storageId: null };
const LIST = JSON.stringify([
  { digest: 'sha256:1', platform: 'linux/amd64', file: 'a.json', config: null },
  { digest: 'sha256:2', platform: 'linux/arm64', file: 'b.json', config: null },
]);
const { signal } = new AbortController();
const all = (format: ScanFormat): RequestedReport => ({ format, platform: null, signal });

interface Situation {
  binary?: string;
  /** What the worker does: converts the report, refuses it as too large, or nothing. */
  worker?: 'makes' | 'refuses' | 'none';
  list?: string | null;
  /** A report that is only on a worker's disk. */
  onDisk?: string | null;
}

function filesOf({
  binary = 'ready',
  worker = 'makes',
  list = LIST,
  onDisk = null,
}: Situation = {}) {
  const kept = new Map<string, string>(list === null ? [] : [[REPORT_LIST, list]]);
  for (const name of ['a.json', 'b.json']) kept.set(name, `{"ArtifactName":"${name}"}`);
  if (list === null) kept.clear();
  const conversions: string[] = [];
  const isAnswered = worker !== 'none' && (list !== null || onDisk !== null);
  const { file } = createReportFiles({
    kept: {
      names: async () => new Set(kept.keys()),
      async *read(_, name) {
        const content = kept.get(name);
        if (content !== undefined) yield Buffer.from(content);
      },
    },
    async convert(jobId, format, platform) {
      conversions.push(`${jobId} ${format} ${platform}`);
      const names = exportNames({ format, platform });
      if (worker === 'makes') void slowness(30).then(() => kept.set(names.file, `as ${format}`));
      if (worker === 'refuses') void slowness(30).then(() => kept.set(names.refusal, ''));
    },
    async takeOver({ id }) {
      conversions.push(`${id} from disk`);
      if (onDisk !== null) void slowness(30).then(() => kept.set(REPORT_LIST, onDisk));
    },
    scanner: { state: async () => ({ binary, message: `it is ${binary}` }) },
    timeoutMs: isAnswered ? PATIENCE_MS : 300,
  });
  return { file: (wanted: RequestedReport) => file(JOB, NAME, wanted), conversions };
}

function read({ content }: ReportDownload): Promise<string> {
  return text(content);
}

it('a JSON report is made without a worker', async () => {
  const { file, conversions } = filesOf({ binary: 'unavailable', worker: 'none' });
  const report = await file(all('json'));
  expect(report.mediaType).toBe('application/json');
  expect(JSON.parse(await read(report))).toMatchObject({
    image: 'registry.example/app:1@sha256:00',
    platforms: [{ platform: 'linux/amd64' }, { platform: 'linux/arm64' }],
  });
  const one = JSON.parse(
    await read(await file({ format: 'json', platform: 'linux/arm64', signal })),
  );
  expect(one).toMatchObject({ ArtifactName: 'registry.example/app:1@sha256:00' });
  expect(conversions).toEqual([]);
});

it('another format is converted by a worker, once', async () => {
  const { file, conversions } = filesOf();
  expect(await read(await file(all('sarif')))).toBe('as sarif');
  await file(all('sarif'));
  await file({ format: 'sarif', platform: 'linux/arm64', signal });
  expect(conversions).toEqual(['job sarif null', 'job sarif linux/arm64']);
});

it('a report that is only on a disk is stored by a worker', async () => {
  const { file, conversions } = filesOf({ list: null, onDisk: LIST });
  expect((await file(all('json'))).mediaType).toBe('application/json');
  expect(conversions).toEqual(['job from disk']);
});

it.each<[string, Situation, string | null, string]>([
  ['no report was kept', { list: '[]' }, null, 'REPORT_UNKNOWN'],
  ['no worker finds one', { list: null }, null, 'REPORT_UNKNOWN'],
  ['the platform is not among them', {}, 'linux/s390x', 'PLATFORM_UNKNOWN'],
  ['a platform is too large to be merged', { worker: 'refuses' }, null, 'REPORT_TOO_LARGE'],
])('there is a fault if %s', async (_, situation, platform, code) => {
  await expect(
    filesOf(situation).file({ format: 'sarif', platform, signal }),
  ).rejects.toMatchObject({
    code,
  });
});

it.each<[string, Situation, string, number]>([
  ['there is no scanner: no worker is asked', { binary: 'unavailable' }, 'it is unavailable', 0],
  ['no worker answers', { worker: 'none' }, 'try again later', 1],
])('another format is unavailable if %s', async (_, situation, message, times) => {
  const { file, conversions } = filesOf(situation);
  await expect(file(all('spdx'))).rejects.toMatchObject({
    code: 'SCANNER_UNAVAILABLE',
    message: expect.stringContaining(message),
  });
  expect(conversions).toHaveLength(times);
});

it.each<[string, Situation]>([
  ['converts it', { worker: 'none' }],
  ['stores it', { list: null }],
])('a client that leaves while a worker %s ends the wait', async (_, situation) => {
  const wanted = { ...all('spdx'), signal: AbortSignal.abort(new Error('the client left')) };
  await expect(filesOf(situation).file(wanted)).rejects.toThrow('the client left');
});
