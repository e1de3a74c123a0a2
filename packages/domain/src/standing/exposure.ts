/** What the gate does with a tagged image, for those who ask where a vulnerability is. */
export const GATE_EXPOSURES = [
  /** It is blocked and served, because the folder does not decide about pulls. */
  'off',
  /** It is blocked and served, because the folder only reports. */
  'report',
  /** It is blocked and still served, because it passed before. */
  'grace',
  /** It is blocked, and served only to accounts that may pull what is blocked. */
  'refused',
  /** It passes because waivers cover what would block it. */
  'waived',
  'passing',
  /** No scan says anything about it, or it was not judged yet. */
  'unjudged',
] as const;
export type GateExposure = (typeof GATE_EXPOSURES)[number];
