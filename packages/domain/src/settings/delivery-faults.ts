/**
 * Why a syslog collector or a mail server did not get a message, with the names of the parameters.
 * Codes of the egress rules are possible besides these.
 */
export const DELIVERY_FAULTS = {
  CONNECTION_REFUSED: [],
  CONNECTION_RESET: [],
  HOST_UNKNOWN: [],
  HOST_LOOKUP_FAILED: [],
  HOST_UNREACHABLE: [],
  NETWORK_UNREACHABLE: [],
  CONNECTION_TIMEOUT: [],
  CERTIFICATE_EXPIRED: [],
  CERTIFICATE_NAME_DIFFERS: [],
  CERTIFICATE_UNTRUSTED: [],
  TLS_FAILED: [],
  STARTTLS_UNSUPPORTED: [],
  TLS_FILE_UNREADABLE: ['setting'],
  /** The answer is the mail server's own. */
  MAIL_REFUSED: ['answer'],
  COLLECTOR_SILENT: [],
  COLLECTOR_CLOSED: [],
  CONNECTION_CLOSED: [],
  DELIVERY_ABORTED: [],
  /** The reason has no code. */
  DELIVERY_FAILED: [],
} as const satisfies Record<string, readonly string[]>;
export type DeliveryFault = keyof typeof DELIVERY_FAULTS;
