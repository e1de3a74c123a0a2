/**
 * The reports of many jobs in one format. Workers convert what is not converted yet, a few jobs
 * ahead of the one that is read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@portcullis/errors';
import { exportNames, type ImageDocument, REPORT_LIST } from '@portcullis/scanner';
import type { Store } from '@portcullis/store';

export type ConvertedFormat = 'sarif' | 'cyclonedx' | 'spdx';

export interface DocumentPorts {
  kept: Pick<Store['jobReports'], 'namesOfAll' | 'read'>;
  /** Lets a worker, which has the scanner, convert the report. */
  convert(jobId: string, format: ConvertedFormat, platform: null): Promise<void>;
  scanner: { state(): Promise<{ binary: string; message: string }> };
  /** How long a worker may take for one job. */
  timeoutMs?: number | undefined;
}

export interface JobDocuments {
  /** @throws unavailable `SCANNER_UNAVAILABLE` if the first ones need a scanner that is missing */
  prepare(): Promise<void>;
  /** Answers the same at each call, because a document is read once for each of its sections. */
  open(jobId: string): Promise<ImageDocument>;
}

const AHEAD = 8;
const TIMEOUT_MS = 60_000;
const LOOK_MS = 100;

const NOT_CONVERTED = 'No worker has made the report in this format; try again later.';
const TOO_LARGE = 'The report of a platform is too large for this format.';

export function createJobDocuments(
  { kept, convert, scanner, timeoutMs = TIMEOUT_MS }: DocumentPorts,
  jobIds: readonly string[],
  format: ConvertedFormat,
): JobDocuments {
  const { file, refusal } = exportNames({ format, platform: null });
  /** Null: there is a file. */
  const faults = new Map<string, { fault: string | null } | null>();
  const requested = new Set<string>();
  let patienceMs = timeoutMs;

  function contentOf(jobId: string): ImageDocument {
    return faults.get(jobId) ?? { content: kept.read(jobId, file) };
  }

  /** Finds out about jobs of which nothing is known yet, and requests missing conversions. */
  async function look(ids: readonly string[]): Promise<void> {
    const unknown = ids.filter((id) => !faults.has(id));
    if (unknown.length === 0) return;
    const names = await kept.namesOfAll(unknown);
    for (const id of unknown) {
      const has = names.get(id) ?? new Set();
      if (has.has(file)) faults.set(id, null);
      else if (has.has(refusal)) faults.set(id, { fault: TOO_LARGE });
      // An artifact and an image that was not scanned have no report of the scanner.
      else if (![...has].some((name) => name !== REPORT_LIST)) faults.set(id, { fault: null });
      else if (!requested.has(id)) {
        requested.add(id);
        await convert(id, format, null);
      }
    }
  }

  function from(jobId: string): readonly string[] {
    const position = jobIds.indexOf(jobId);
    return jobIds.slice(position, position + AHEAD);
  }

  return {
    async prepare() {
      await look(jobIds.slice(0, AHEAD));
      if (requested.size === 0) return;
      const { binary, message } = await scanner.state();
      if (binary !== 'ready') throw unavailable('SCANNER_UNAVAILABLE', message);
    },
    async open(jobId) {
      if (faults.has(jobId)) return contentOf(jobId);
      await look(from(jobId));
      for (const end = Date.now() + patienceMs; Date.now() < end && !faults.has(jobId); ) {
        await sleep(LOOK_MS);
        await look([jobId]);
      }
      if (!faults.has(jobId)) {
        faults.set(jobId, { fault: NOT_CONVERTED });
        // Where no worker answers, a wait for each of hundreds of jobs would take hours.
        patienceMs = 0;
      }
      return contentOf(jobId);
    },
  };
}
