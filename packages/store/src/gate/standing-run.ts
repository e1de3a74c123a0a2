/** The id of the only row of standing_runs: the worker that judges tagged images. */
export const STANDING_RUN = 'current';
