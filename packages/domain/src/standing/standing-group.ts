/** The groups in which a folder's images are counted and listed, the most urgent first. */
export const STANDING_GROUPS = [
  /** It does not pass the policy. */
  'blocked',
  /** It passes although vulnerabilities were found. */
  'findings',
  /** No scan says enough about it. */
  'unscanned',
  'clean',
  /** No container image, such as a chart or a signature. */
  'artifact',
] as const;
export type StandingGroup = (typeof STANDING_GROUPS)[number];
