/** Sends messages over SMTP. With `starttls`, a server without STARTTLS gets nothing. */

import { isIP } from 'node:net';
import type { EmailSettings } from '@portcullis/domain';
import { createTransport, type SentMessageInfo } from 'nodemailer';
import {
  DELIVERY_TIMEOUTS,
  type DeliveryTimeouts,
  type MailDeliveryResult,
  type Recipient,
} from './delivery.ts';
import { DeliveryError, type Failure, failureOf, plainFailure } from './failure.ts';
import type { Mail } from './mail.ts';
import { oneLine } from './one-line.ts';
import type { Resolve } from './resolve.ts';
import { readPem } from './tls-files.ts';

export interface MailOptions {
  resolve: Resolve;
  signal?: AbortSignal | undefined;
  timeouts?: DeliveryTimeouts | undefined;
}

/**
 * Sends to all recipients; delivered when the server accepts at least one of them. Never throws.
 */
export async function sendMail(
  mail: Mail,
  settings: EmailSettings,
  { resolve, signal, timeouts = DELIVERY_TIMEOUTS }: MailOptions,
): Promise<MailDeliveryResult> {
  const transcript: string[] = [];
  try {
    const ca = await readPem('tls_ca_cert', settings.tls_ca_cert);
    const addresses = await resolve(settings.host ?? '', settings.port);
    const sending = { mail, settings, ca, signal, timeouts, transcript };
    const info = await sendBy(
      addresses.map(({ address }) => address),
      sending,
    );
    return { delivered: true, recipients: recipientsOf(settings, info), transcript };
  } catch (error) {
    const recipients = settings.to_addresses.map((address) => ({ address, accepted: false }));
    return {
      delivered: false,
      recipients,
      transcript,
      ...failureBy(error),
      final: isFinal(error),
    };
  }
}

interface Sending {
  mail: Mail;
  settings: EmailSettings;
  ca: string | undefined;
  signal: AbortSignal | undefined;
  timeouts: DeliveryTimeouts;
  transcript: string[];
}

/** Uses the first address that answers; throws the last fault where none does. */
async function sendBy(addresses: readonly string[], sending: Sending): Promise<SentMessageInfo> {
  const [address = '', ...others] = addresses;
  try {
    return await sendTo(address, sending);
  } catch (error) {
    if (others.length === 0 || !isConnectionFault(error)) throw error;
    return sendBy(others, sending);
  }
}

/** No dialogue began, so another address may be tried. */
function isConnectionFault(error: unknown): boolean {
  return error instanceof Error && 'command' in error && error.command === 'CONN';
}

async function sendTo(address: string, sending: Sending): Promise<SentMessageInfo> {
  const { mail, settings, ca, signal, timeouts, transcript } = sending;
  const transport = createTransport({
    ...connection(address, settings, ca),
    ...limits(timeouts),
    logger: recorder(transcript),
    transactionLog: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return abortable(transport.sendMail(messageOf(mail, settings)), signal, () => transport.close());
}

/** Connects to the address that was checked; the certificate must match the host name. */
function connection(address: string, settings: EmailSettings, ca: string | undefined) {
  const { host, port, security, username, password, tls_verify: rejectUnauthorized } = settings;
  return {
    host: address,
    ...(host !== null && isIP(host) === 0 && { servername: host }),
    port,
    secure: security === 'ssl',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { rejectUnauthorized, ...(ca !== undefined && { ca }) },
    ...(username !== null && { auth: { user: username, pass: password ?? '' } }),
  };
}

function limits({ connectMs, answerMs }: DeliveryTimeouts) {
  return {
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
  };
}

function messageOf({ subject, text, messageId, attachment }: Mail, settings: EmailSettings) {
  return {
    from: settings.from_address ?? '',
    to: settings.to_addresses,
    subject: oneLine(subject),
    text,
    messageId,
    // RFC 3834: suppresses automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(attachment && { attachments: [{ ...attachment, contentType: 'application/jsonl' }] }),
  };
}

/** nodemailer has no abort signal; closing the transport only stops what has not begun. */
async function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  end: () => void,
): Promise<T> {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => {
    end();
    reject(new DeliveryError('DELIVERY_ABORTED'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  work.catch(() => undefined);
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

function recipientsOf(settings: EmailSettings, { rejected }: SentMessageInfo): Recipient[] {
  const refused = new Set(
    rejected?.map((one: string | { address: string }) =>
      typeof one === 'string' ? one : one.address,
    ),
  );
  return settings.to_addresses.map((address) => ({
    address,
    accepted: !refused.has(bare(address)),
  }));
}

function bare(address: string): string {
  return /<([^<>]+)>$/.exec(address)?.[1] ?? address;
}

/** With the server's own text, if it replied. */
function failureBy(error: unknown): Failure {
  if (error instanceof Error && 'command' in error && error.command === 'STARTTLS')
    return plainFailure('STARTTLS_UNSUPPORTED');
  if (!(error instanceof Error && 'response' in error && typeof error.response === 'string'))
    return failureOf(error);
  const answer = oneLine(error.response, 300);
  return { code: 'MAIL_REFUSED', params: { answer }, error: `the server refused: ${answer}` };
}

/** RFC 4954 § 6: a fault of the account, which an operator can fix. */
const ABOUT_THE_LOGIN = new Set([530, 534, 535, 538]);

/**
 * RFC 5321 § 4.2.1: 5yz to the sender, to each recipient, or to the message. nodemailer reports the
 * 4yz where one recipient got that. Faults of the greeting, TLS or login don't concern the message.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && 'responseCode' in error)) return false;
  const { code, responseCode: answer } = error;
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  return typeof answer === 'number' && answer >= 500 && !ABOUT_THE_LOGIN.has(answer);
}

const MOST_ENTRIES = 200;

/** The dialogue as nodemailer logs it, without credentials; known secrets are masked again. */
function recorder(transcript: string[]) {
  const take = (...facts: unknown[]) => {
    const [about, text, ...values] = facts;
    if (!isTransaction(about) || transcript.length >= MOST_ENTRIES) return;
    const line = values.reduce<string>(
      (rest, value) => rest.replace('%s', String(value)),
      String(text),
    );
    transcript.push(`${about.tnx === 'client' ? '>' : '<'} ${oneLine(withoutSecret(line), 300)}`);
  };
  const none = () => undefined;
  return {
    level: none,
    trace: none,
    debug: take,
    info: none,
    warn: none,
    error: none,
    fatal: none,
  };
}

function isTransaction(about: unknown): about is { tnx: 'client' | 'server' } {
  if (typeof about !== 'object' || about === null || !('tnx' in about)) return false;
  return about.tnx === 'client' || about.tnx === 'server';
}

function withoutSecret(line: string): string {
  return line.replace(/^(AUTH \S+) .*/i, '$1 ***');
}
