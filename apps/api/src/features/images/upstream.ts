/**
 * Translates a registry's errors for the caller: the registry's 401 is not the caller's, and a
 * timeout is a 503.
 */
import {
  type AppError,
  conflict,
  type ErrorKind,
  isAppError,
  notFound,
  unavailable,
} from '@portcullis/errors';

/** With saved credentials, or with credentials given for this request only. */
export interface OtherRegistry {
  host: string;
  login: 'saved' | 'given';
}

export interface RegistryQuestion {
  /** Null for the built-in registry. */
  registry: OtherRegistry | null;
  /** The meaning of the registry's "unknown". */
  missing: [code: string, message: string];
}

/** @throws not_found, conflict, forbidden by our own address rules, unavailable */
export async function translateErrors<T>(
  question: RegistryQuestion,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw timedOut(question, error);
    throw isAppError(error) ? translate(question, error) : error;
  }
}

const OURS = new Set([
  'DELETE_UNSUPPORTED',
  'CURSOR_INVALID',
  'PLATFORM_UNKNOWN',
  'PLATFORM_INVALID',
]);

/** The registry's answer about what it has, which is no absence of what was asked for. */
const ABOUT_STATE = new Set(['LOGIN_WITHHELD', 'PLATFORM_ABSENT']);

function translate(question: RegistryQuestion, error: AppError): AppError {
  // Whatever the registry answers to a stranger, also that there is nothing.
  if (ABOUT_STATE.has(error.code)) return conflict(error.code, error.message, { cause: error });
  if (
    OURS.has(error.code) ||
    (/^(?:EGRESS|MANIFEST)_/.test(error.code) && error.kind !== 'not_found')
  )
    return error;
  return MEANINGS[error.kind](question, error);
}

type Meaning = (question: RegistryQuestion, error: AppError) => AppError;

const MEANINGS = {
  not_found: ({ missing: [code, message] }, cause) => notFound(code, message, { cause }),
  unauthenticated: refused,
  forbidden: refused,
  rate_limited: ({ registry }, cause) =>
    unavailable('REGISTRY_RATE_LIMITED', `${nameOf(registry)} is rate-limiting us.`, {
      cause,
      ...(cause.retryAfter !== undefined && { retryAfter: cause.retryAfter }),
    }),
  unavailable: down,
  invalid: down,
  conflict: (_, error) => error,
  too_large: down,
} as const satisfies Record<ErrorKind, Meaning>;

const REFUSALS = { saved: 'REGISTRY_LOGIN_REFUSED', given: 'SOURCE_LOGIN_REFUSED' } as const;

function refused(question: RegistryQuestion, cause: AppError): AppError {
  if (question.registry === null) return down(question, cause);
  const { host, login } = question.registry;
  const message = `${host} doesn't accept the ${login} login for this, or wants one.`;
  return conflict(REFUSALS[login], message, { cause });
}

function down({ registry }: RegistryQuestion, cause: AppError): AppError {
  const message = `${nameOf(registry)} can not be reached, or doesn't answer as a registry.`;
  return unavailable('REGISTRY_UNAVAILABLE', message, { cause });
}

function timedOut({ registry }: RegistryQuestion, cause: unknown): AppError {
  return unavailable('REGISTRY_TIMEOUT', `${nameOf(registry)} doesn't answer in time.`, { cause });
}

function nameOf(registry: OtherRegistry | null): string {
  return registry?.host ?? 'The built-in registry';
}
