export interface ReportFile {
  name: string;
  content: AsyncIterable<Buffer>;
}

/** The full reports of a job's scan, as files: what the scanner wrote, and what was made of it in other formats. */
export interface JobReports {
  /** These instead of all that there are; nothing where the job is gone. */
  replace(jobId: string, files: readonly ReportFile[]): Promise<void>;
  /** Beside the others. */
  add(jobId: string, file: ReportFile): Promise<void>;
  names(jobId: string): Promise<Set<string>>;
  /** Part by part: memory holds one at a time. Of a file that there isn't, nothing. */
  read(jobId: string, name: string): AsyncIterable<Buffer>;
  /** Those of them that have reports. */
  existing(jobIds: readonly string[]): Promise<Set<string>>;
}
