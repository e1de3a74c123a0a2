/**
 * Errors as plain data between threads. An error that the main thread gave to a thread comes back
 * as the same object, so that subclasses and causes are kept.
 */
import { isOciError, OciError, type OciErrorKind, type Side } from '../oci-error.ts';

export interface WireError {
  message: string;
  stack: string | undefined;
  /** Of an `OciError`. */
  fault:
    | {
        kind: OciErrorKind;
        code: string;
        detail: Record<string, unknown> | undefined;
        retryAfter: number | undefined;
        side: Side | undefined;
      }
    | undefined;
  /** Of an error of the system. */
  errno: string | undefined;
  cause: WireError | undefined;
  /** The call whose refusal this is. */
  call: number | undefined;
}

const MAX_CAUSES = 3;

const refusals = new WeakMap<Error, number>();

export function toWire(error: unknown, causes = MAX_CAUSES): WireError {
  if (!(error instanceof Error)) return { ...EMPTY, message: String(error) };
  const { message, stack, cause } = error;
  return {
    message,
    stack,
    fault: isOciError(error) ? faultOf(error) : undefined,
    errno: 'code' in error && !isOciError(error) ? String(error.code) : undefined,
    cause: cause === undefined || causes === 0 ? undefined : toWire(cause, causes - 1),
    call: refusals.get(error),
  };
}

const EMPTY = {
  stack: undefined,
  fault: undefined,
  errno: undefined,
  cause: undefined,
  call: undefined,
};

function faultOf({ kind, code, detail, retryAfter, side }: OciError) {
  return { kind, code, detail, retryAfter, side };
}

export function fromWire(wire: WireError): Error {
  const { fault, message, errno } = wire;
  const cause = wire.cause && fromWire(wire.cause);
  if (!fault) {
    const error = new Error(message, cause && { cause });
    return Object.assign(error, { stack: wire.stack }, errno !== undefined && { code: errno });
  }
  const { kind, code, detail, retryAfter, side } = fault;
  return new OciError(kind, code, message, {
    cause,
    ...(detail && { detail }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(side && { side }),
  });
}

/** As `fromWire`, for the refusal of a call. */
export function refusalFrom(wire: WireError, call: number): Error {
  const error = fromWire(wire);
  refusals.set(error, call);
  return error;
}
