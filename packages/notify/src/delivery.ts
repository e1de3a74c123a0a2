/** What became of something that was sent: told as it is, for people and for those who try again. */
export interface DeliveryResult {
  /** Null: sent by a way that never answers, so nobody knows. */
  delivered: boolean | null;
  /** What was said and done, without credentials. */
  transcript: string[];
  /** For people, where it was not delivered. */
  error?: string;
}

export interface Recipient {
  address: string;
  accepted: boolean;
}

export interface MailDeliveryResult extends DeliveryResult {
  recipients: Recipient[];
  /** Where it was not delivered: the server would refuse the same message again, so that it is not worth another try. */
  final?: boolean;
}

export interface DeliveryTimeouts {
  /** For the connection and the handshake. */
  connectMs: number;
  /** For each answer. */
  answerMs: number;
}

export const PATIENCE: DeliveryTimeouts = { connectMs: 10_000, answerMs: 30_000 };
