/** How to call an operation. */
export interface OperationEndpoint {
  method: string;
  /** Below `/api`; parameters as `{job_id}`. */
  path: string;
  answer: 'json' | 'bytes' | 'nothing';
  idempotent?: true;
}
