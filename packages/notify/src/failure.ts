/** Why a delivery failed, as a code with parameters and in English, without secrets. */
import type { DeliveryFault } from '@portcullis/domain';
import { isAppError } from '@portcullis/errors';
import { oneLine } from './one-line.ts';

export interface Failure {
  /** One of `DELIVERY_FAULTS`, or the code of the egress rule that refused the address. */
  code: string;
  params: Record<string, string>;
  error: string;
}

const TEXTS = {
  CONNECTION_REFUSED: 'nothing listens there',
  CONNECTION_RESET: 'the connection was reset',
  HOST_UNKNOWN: 'the host name is not known',
  HOST_LOOKUP_FAILED: 'the host name could not be looked up',
  HOST_UNREACHABLE: 'there is no way to the host',
  NETWORK_UNREACHABLE: 'there is no way to the network',
  CONNECTION_TIMEOUT: 'no answer in time',
  CERTIFICATE_EXPIRED: 'its certificate has expired',
  CERTIFICATE_NAME_DIFFERS: 'its certificate is for another name',
  CERTIFICATE_UNTRUSTED: 'its certificate is not signed by an authority we trust',
  TLS_FAILED: 'it does not speak TLS that we understand',
  STARTTLS_UNSUPPORTED: 'the server does not switch to TLS (STARTTLS), which is a must here',
  COLLECTOR_SILENT: 'the collector did not take the messages in time',
  COLLECTOR_CLOSED: 'the collector closed before it had everything',
  CONNECTION_CLOSED: 'the connection was closed before everything was sent',
  DELIVERY_ABORTED: 'it was called off',
  DELIVERY_FAILED: 'it failed',
} satisfies Partial<Record<DeliveryFault, string>>;
type PlainFault = keyof typeof TEXTS;

/** By the codes of the system and of Node.js. */
const CAUSES: Record<string, PlainFault> = {
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ECONNRESET: 'CONNECTION_RESET',
  EPIPE: 'CONNECTION_RESET',
  ENOTFOUND: 'HOST_UNKNOWN',
  EAI_AGAIN: 'HOST_LOOKUP_FAILED',
  EHOSTUNREACH: 'HOST_UNREACHABLE',
  ENETUNREACH: 'NETWORK_UNREACHABLE',
  ETIMEDOUT: 'CONNECTION_TIMEOUT',
  CERT_HAS_EXPIRED: 'CERTIFICATE_EXPIRED',
  ERR_TLS_CERT_ALTNAME_INVALID: 'CERTIFICATE_NAME_DIFFERS',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'CERTIFICATE_UNTRUSTED',
  SELF_SIGNED_CERT_IN_CHAIN: 'CERTIFICATE_UNTRUSTED',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'CERTIFICATE_UNTRUSTED',
  UNABLE_TO_GET_ISSUER_CERT: 'CERTIFICATE_UNTRUSTED',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'CERTIFICATE_UNTRUSTED',
  EPROTO: 'TLS_FAILED',
};

/** A failure that no error of the system describes. */
export class DeliveryError extends Error {
  readonly fault: PlainFault;
  constructor(fault: PlainFault) {
    super(TEXTS[fault]);
    this.fault = fault;
  }
}

export function plainFailure(code: PlainFault): Failure {
  return { code, params: {}, error: TEXTS[code] };
}

/** The failure of a connection, or the refusal of an address or a file by us. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return plainFailure('DELIVERY_FAILED');
  if (error instanceof DeliveryError) return plainFailure(error.fault);
  if (error instanceof AggregateError && error.errors.length > 0) return failureOf(error.errors[0]);
  if (isAppError(error))
    return { code: error.code, params: textsOf(error.detail), error: error.message };
  const fault = faultOf(error);
  return fault
    ? plainFailure(fault)
    : { code: 'DELIVERY_FAILED', params: {}, error: oneLine(error.message) };
}

function textsOf(detail: Record<string, unknown> = {}): Record<string, string> {
  const texts = Object.entries(detail).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

/** nodemailer replaces the code of the connection and keeps it as `originalCode`. */
function faultOf(error: Error): PlainFault | undefined {
  const codes = [
    'originalCode' in error ? String(error.originalCode) : '',
    'code' in error ? String(error.code) : '',
  ];
  const fault = codes.map(causeOf).find((found) => found !== undefined);
  return fault ?? (error.cause instanceof Error ? faultOf(error.cause) : undefined);
}

function causeOf(code: string): PlainFault | undefined {
  if (Object.hasOwn(CAUSES, code)) return CAUSES[code];
  return code.startsWith('ERR_SSL_') ? 'TLS_FAILED' : undefined;
}
