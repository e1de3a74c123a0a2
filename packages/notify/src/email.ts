/** Sends messages over SMTP. With `starttls`, a server without STARTTLS gets nothing. */

import { isIP } from 'node:net';
import { hostname } from 'node:os';
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
import { isAboutMessage, isFinal, refusedRecipients } from './mail-refusal.ts';
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
    return { delivered: true, recipients: recipientsOf(settings, info, true), transcript };
  } catch (error) {
    return {
      delivered: false,
      recipients: recipientsOf(settings, error, false),
      transcript,
      ...failureBy(error),
      final: isFinal(error),
      aboutMessage: isAboutMessage(error),
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
    name: ehloName(settings, hostname()),
    ...limits(timeouts),
    logger: recorder(transcript),
    transactionLog: true,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return abortable(transport.sendMail(messageOf(mail, settings)), signal, () => transport.close());
}

/**
 * Servers may refuse a name without a dot (RFC 5321 § 4.1.4), as containers have, and address
 * literals: then it is the domain of the sender.
 */
export function ehloName({ ehlo_name, from_address }: EmailSettings, host: string): string {
  if (ehlo_name !== null) return ehlo_name;
  const domain = bare(from_address ?? '').split('@')[1] ?? '';
  const isName = /^[\x21-\x7e]+\.[\x21-\x7e]+$/.test(domain);
  return host.includes('.') || !isName ? host : domain;
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

/** @param about what the server said: of the message that it accepted, or of the one it refused */
function recipientsOf(settings: EmailSettings, about: unknown, accepted: boolean): Recipient[] {
  const refused = refusedRecipients(about);
  return settings.to_addresses.map((address) => {
    const final = refused.get(bare(address));
    if (final === undefined) return { address, accepted };
    return { address, accepted: false, final };
  });
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
