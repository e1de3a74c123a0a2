export interface ReportFile {
  name: string;
  content: AsyncIterable<Buffer>;
}

/** The full reports of a job's scan, as files: Trivy's own and those converted to other formats. */
export interface JobReports {
  /** Replaces all files; does nothing where the job no longer exists. */
  replace(jobId: string, files: readonly ReportFile[]): Promise<void>;
  /** Adds a file to the existing ones. */
  add(jobId: string, file: ReportFile): Promise<void>;
  names(jobId: string): Promise<Set<string>>;
  /** Of several jobs in one query; those without files are absent. */
  namesOfAll(jobIds: readonly string[]): Promise<Map<string, Set<string>>>;
  /**
   * Streams the parts, so that memory holds one at a time. Yields nothing where the file does not
   * exist.
   */
  read(jobId: string, name: string): AsyncIterable<Buffer>;
  /** Which of the jobs have reports. */
  existing(jobIds: readonly string[]): Promise<Set<string>>;
}
