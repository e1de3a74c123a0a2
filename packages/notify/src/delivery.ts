/** The result of a delivery, for people and for retries. */
export interface DeliveryResult {
  /** Null: the protocol has no acknowledgement. */
  delivered: boolean | null;
  /** The dialogue with the server, without credentials. */
  transcript: string[];
  /** Why it was not delivered: one of `DELIVERY_FAULTS`, or of the egress rules. */
  code?: string;
  params?: Record<string, string>;
  /** The same in English. */
  error?: string;
}

export interface Recipient {
  address: string;
  accepted: boolean;
  /** Whether the server refused this one for good; absent where it said nothing about it. */
  final?: boolean;
}

export interface MailDeliveryResult extends DeliveryResult {
  recipients: Recipient[];
  /** The server would reject the same message again, so a retry is useless. */
  final?: boolean;
  /** A smaller message, or one to fewer recipients, may be accepted. */
  aboutMessage?: boolean;
}

export interface DeliveryTimeouts {
  /** Limit for connection and handshake. */
  connectMs: number;
  /** Limit for each reply. */
  answerMs: number;
}

export const DELIVERY_TIMEOUTS: DeliveryTimeouts = { connectMs: 10_000, answerMs: 30_000 };
