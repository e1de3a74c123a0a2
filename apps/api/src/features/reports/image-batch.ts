/**
 * The images of a transfer for the documents of all of them: names and outcomes are in memory,
 * reports are opened one after the other.
 */
import { pinnedImageOf } from '@portcullis/domain';
import type { BatchImage, ImageBatch } from '@portcullis/scanner';
import type { Store, Transfer, TransferredJob } from '@portcullis/store';
import { imageResult } from './image-result.ts';
import {
  type ConvertedFormat,
  createJobDocuments,
  type DocumentPorts,
  type JobDocuments,
} from './job-documents.ts';
import { jobPages } from './job-pages.ts';

export interface BatchPorts extends DocumentPorts {
  transfers: Pick<Store['transfers'], 'jobs'>;
}

/** @throws unavailable `SCANNER_UNAVAILABLE` */
export async function imageBatch(
  transfer: Transfer,
  format: ConvertedFormat,
  ports: BatchPorts,
): Promise<ImageBatch> {
  const jobs = await jobsOf(transfer, ports);
  const reported = withReports(jobs);
  const documents = createJobDocuments(ports, [...reported], format);
  await documents.prepare();
  const { source, destination } = transfer.order;
  return {
    category: `transfer/${source.host}/${destination.host}`,
    name: `Transfer ${transfer.id}`,
    at: new Date(),
    images: jobs.map((job) => imageOf(job, documents, reported)),
  };
}

async function jobsOf({ id }: Transfer, { transfers }: BatchPorts): Promise<TransferredJob[]> {
  const jobs: TransferredJob[] = [];
  for await (const page of jobPages(transfers, id)) jobs.push(...page);
  return jobs;
}

/** The first job of each image: one that goes to two places is reported once. */
function withReports(jobs: readonly TransferredJob[]): Set<string> {
  const pulled = jobs.filter(({ digest }) => digest !== null);
  const byName = Map.groupBy(pulled, (job) => imageResult(job).name);
  return new Set([...byName.values()].flatMap(([first]) => (first ? [first.id] : [])));
}

function imageOf(
  job: TransferredJob,
  documents: JobDocuments,
  reported: ReadonlySet<string>,
): BatchImage {
  return {
    ...imageResult(job),
    pinned: pinnedImageOf(job),
    open: async () => (reported.has(job.id) ? documents.open(job.id) : { fault: null }),
  };
}
