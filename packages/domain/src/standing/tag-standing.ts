/** The groups in which a repository's tags are filtered and sorted, the most urgent first. */
export const TAG_STANDINGS = [
  /** It does not pass the policy. */
  'blocked',
  /** It passes only because waivers cover what would block it. */
  'waived',
  /** It passes although vulnerabilities were found. */
  'findings',
  /** It passes, but no scanner covers the whole of it. */
  'unscannable',
  /** No scan says anything about it yet. */
  'unscanned',
  'clean',
  /** No container image, such as a chart or a signature. */
  'artifact',
] as const;
export type TagStandingGroup = (typeof TAG_STANDINGS)[number];
