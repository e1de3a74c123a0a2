/** Turns errors into problem documents (RFC 9457); the cause of a 5xx is logged, not shown. */
import { STATUS_CODES } from 'node:http';
import {
  type FaultParams,
  type FieldFault,
  type FieldFaultCode,
  fieldFault,
  type Problem,
} from '@portcullis/contract';
import { type AppError, type ErrorKind, invalid, isAppError } from '@portcullis/errors';

const STATUS = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
} as const satisfies Record<ErrorKind, number>;

/** The parts of a problem document. */
export interface ProblemFacts {
  status: number;
  code: string;
  detail: string;
  errors?: FieldFault[];
  retryAfter?: number;
}

const DEFAULT_RETRY_SECONDS = 5;

export function failureOf(error: unknown): ProblemFacts {
  if (isAppError(error)) return appFailure(error);
  return (
    parserFailure(error) ?? {
      status: 500,
      code: 'INTERNAL',
      detail: 'An internal fault; the request id leads to it in the log.',
    }
  );
}

function appFailure(error: AppError): ProblemFacts {
  const status = STATUS[error.kind];
  const errors = fieldFaults(error);
  const waits = status === 429 || status === 503;
  return {
    status,
    code: error.code,
    detail: error.message,
    ...(errors && { errors }),
    ...(waits && { retryAfter: Math.ceil(error.retryAfter ?? DEFAULT_RETRY_SECONDS) }),
  };
}

/** One wrong field. @see fieldsInvalid */
export function fieldInvalid(
  path: string,
  code: FieldFaultCode,
  message: string,
  params?: FaultParams,
): AppError {
  return invalid(code, message, { detail: { errors: [fieldFault(path, code, message, params)] } });
}

export function fieldsInvalid(errors: FieldFault[]): AppError {
  return invalid('VALIDATION_FAILED', 'Some fields are missing, ill-typed or out of range.', {
    detail: { errors },
  });
}

export function fieldFaults(error: AppError): FieldFault[] | undefined {
  const listed = error.detail?.errors;
  return Array.isArray(listed) ? listed : undefined;
}

const PARSER_FAULTS: Record<string, ProblemFacts> = {
  'entity.parse.failed': { status: 400, code: 'BODY_UNPARSABLE', detail: 'The body is not JSON.' },
  'entity.too.large': {
    status: 413,
    code: 'BODY_TOO_LARGE',
    detail: 'The body is over the limit.',
  },
  'method.unsupported': {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    detail: 'This path does not have the method; Allow names those it has.',
  },
  'media.unsupported': {
    status: 415,
    code: 'MEDIA_TYPE_UNSUPPORTED',
    detail: 'Send the body as application/json.',
  },
  'encoding.unsupported': {
    status: 415,
    code: 'ENCODING_UNSUPPORTED',
    detail: 'The content encoding is not supported.',
  },
  'charset.unsupported': {
    status: 415,
    code: 'CHARSET_UNSUPPORTED',
    detail: 'The charset is not supported; send UTF-8.',
  },
};

/** Errors of Express and its body parser have a `type`, or a status below 500. */
function parserFailure(error: unknown): ProblemFacts | null {
  if (!(error instanceof Error)) return null;
  const type = 'type' in error && typeof error.type === 'string' ? error.type : '';
  const known = PARSER_FAULTS[type];
  if (known) return known;
  const status = 'status' in error && typeof error.status === 'number' ? error.status : 500;
  return status >= 400 && status < 500
    ? { status: 400, code: 'REQUEST_MALFORMED', detail: 'The request is malformed.' }
    : null;
}

export function problem(failure: ProblemFacts, requestId: string): Problem {
  const { status, code, detail, errors } = failure;
  const title = STATUS_CODES[status] ?? 'Error';
  return {
    type: 'about:blank',
    title,
    status,
    detail,
    code,
    request_id: requestId,
    ...(errors && { errors }),
  };
}
