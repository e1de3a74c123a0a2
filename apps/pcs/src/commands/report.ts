/** `pcs report`: saves the scan report of an image, a job or a transfer. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ApiClient } from '@portcullis/client';
import { REPORT_FORMATS, type ReportFormat } from '@portcullis/contract';
import { isAppError, notFound } from '@portcullis/errors';
import type { PcsCall, PcsCommand } from '../command.ts';
import { followJob } from '../following.ts';
import { localImage } from '../images.ts';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const report: PcsCommand = {
  name: 'report',
  words: ['<image, job or transfer>'],
  summary: 'save the scan report of an image, a job or a whole transfer',
  help: [
    'The image is repository:tag or repository@digest of the built-in registry; a job and a transfer are named by their',
    'id. Without -o the report is written to standard output. An image that was never staged is pulled into staging first,',
    'where its scan is used again.',
  ],
  options: {
    format: {
      type: 'string',
      values: REPORT_FORMATS,
      help: `${REPORT_FORMATS.join(', ')}; by default json`,
    },
    platform: { type: 'string', help: 'one platform of an index, as linux/arm64' },
    output: { type: 'string', short: 'o', help: 'the file' },
  },
  async run(call) {
    const api = await call.api();
    const format = REPORT_FORMATS.find((each) => each === call.value('format')) ?? 'json';
    const subject = call.words[0] ?? '';
    const query = { format, platform: call.value('platform') };
    const content = await reportOf(api, await jobOf(call, api, subject), query);
    const file = call.value('output');
    if (file === undefined) {
      await pipeline(content, process.stdout, { end: false });
      return { lines: [], facts: undefined };
    }
    await saveTo(content, file);
    return { lines: [`${file} has the report of ${subject}.`], facts: { file, format } };
  },
};

interface ReportQuery {
  format: ReportFormat;
  platform: string | undefined;
}

/** An id is that of a job or of a transfer. */
async function reportOf(
  api: ApiClient,
  id: string,
  query: ReportQuery,
): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await api.download('staging.downloadReport', { params: { job_id: id }, query });
  } catch (error) {
    if (!isAppError(error) || error.code !== 'JOB_UNKNOWN') throw error;
    const { format } = query;
    return api.download('transfers.downloadTransferReport', { params: { id }, query: { format } });
  }
}

/** The newest job with a report of the image; one that was only pushed is pulled into staging. */
async function jobOf({ progress }: PcsCall, api: ApiClient, subject: string): Promise<string> {
  if (ID.test(subject)) return subject;
  const { repository, reference } = localImage(subject, api.site);
  const { scan } = await api.call('images.getImage', {
    params: { registry_id: '__local__' },
    query: { repository, tag: reference },
  });
  if (scan?.job_id) return scan.job_id;
  const source = { image: repository, tag: reference, source_registry_id: '__local__' };
  const { job_id: id } = await api.call('staging.pull', { body: source });
  const { verdict } = await followJob(api, id, progress);
  if (verdict !== 'pending' && verdict !== 'error' && verdict !== 'skipped') return id;
  throw notFound('REPORT_UNKNOWN', `there is no report of ${subject}: its verdict is ${verdict}`);
}

/** A file of that name is replaced only by a whole report. */
async function saveTo(content: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const draft = `${file}.${process.pid}.part`;
  try {
    await pipeline(content, createWriteStream(draft));
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
