/** An operation as the page knows it. */
export interface Endpoint {
  method: string;
  /** Below `/api`; parameters as `{job_id}`. */
  path: string;
  answer: 'json' | 'bytes' | 'nothing';
  idempotent?: true;
}
