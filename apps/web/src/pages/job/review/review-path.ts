/** The page of a job with its review dialog open. */

/** The parameter of the address. */
export const REVIEW = 'review';

export function reviewPath(jobId: string): string {
  return `/staging/${jobId}?${REVIEW}`;
}
