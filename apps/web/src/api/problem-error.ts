/** Failed calls of the REST API. */
import type { FieldFault, Problem } from '@portcullis/contract';
import { loadFieldFaults } from '../i18n/bundles.ts';
import { currentLanguage } from '../i18n/language.tsx';
import { fieldFault } from './field-faults.ts';

interface ProblemParts {
  fields?: Record<string, string>;
  retryAfter?: number | null;
  answer?: unknown;
}

/** A failed call: the server's problem document, or the code `NETWORK` without a response. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  readonly code: string;
  /** Messages by field path, in the user's language. */
  readonly fields: Record<string, string>;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | null;
  readonly requestId: string | null;
  /** The parsed body; it is not always a problem document. */
  readonly answer: unknown;

  constructor(
    problem: Partial<Problem> & { status: number; code: string },
    { fields = {}, retryAfter = null, answer = null }: ProblemParts = {},
  ) {
    super(problem.detail ?? problem.code);
    this.status = problem.status;
    this.code = problem.code;
    this.fields = fields;
    this.retryAfter = retryAfter;
    this.answer = answer;
    this.requestId = problem.request_id ?? null;
  }
}

export function isProblem(error: unknown, ...codes: string[]): error is ProblemError {
  return error instanceof ProblemError && (codes.length === 0 || codes.includes(error.code));
}

export function networkProblem(): ProblemError {
  return new ProblemError({ status: 0, code: 'NETWORK', detail: 'The server can’t be reached.' });
}

/** Of a response with an error status. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const retryAfter = Number(response.headers.get('retry-after'));
  const body: unknown = await response.json().catch(() => null);
  const { status } = response;
  const known: Partial<Problem> & { code: string } = isProblemBody(body)
    ? body
    : { code: `HTTP_${status}` };
  const fields = await fieldsOf(known.errors ?? []);
  const parts = { fields, retryAfter: retryAfter > 0 ? retryAfter : null, answer: body };
  return new ProblemError({ ...known, status }, parts);
}

/** The words are loaded with the first fault of a field; without them it keeps the server's. */
async function fieldsOf(faults: readonly FieldFault[]): Promise<Record<string, string>> {
  if (faults.length === 0) return {};
  const words = await loadFieldFaults(currentLanguage()).catch(() => ({}));
  return Object.fromEntries(faults.map((fault) => [fault.path, fieldFault(fault, words)]));
}

function isProblemBody(body: unknown): body is Problem {
  return (
    typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
  );
}
