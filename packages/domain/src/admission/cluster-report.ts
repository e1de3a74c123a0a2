/** What an agent reports of its cluster: the whole of what runs there of this registry. */

/** An image by namespace. */
export interface ReportedImage {
  namespace: string;
  repository: string;
  digest: string;
}

/** More than that an agent leaves out, and says how many. */
export const MOST_REPORTED = 20_000;

/** An agent reports every five minutes, also where nothing changed. */
export const REPORT_EVERY_MS = 300_000;
/** After three reports that did not come, what an agent said last is not what runs now. */
const SILENT_AFTER_MS = 3 * REPORT_EVERY_MS;

export function isSilent(reportedAt: Date, now: Date): boolean {
  return now.getTime() - reportedAt.getTime() > SILENT_AFTER_MS;
}
