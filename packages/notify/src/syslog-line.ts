/**
 * Formats an entry as one syslog message with glossy, and corrects what glossy gets wrong: field
 * grammar and lengths, milliseconds and time zone, line ends, total length.
 */
import type { SyslogSettings } from '@portcullis/domain';
import { Produce } from 'glossy';
import { oneLine } from './one-line.ts';
import type { SyslogEntry } from './syslog-entry.ts';

export interface LineFormat {
  rfc: SyslogSettings['syslog_rfc'];
  hostname: string;
  /** Sent with each message, for collectors that filter on it. */
  auth: { username: string; password: string } | null;
}

const APP_NAME = 'portcullis';
/** The example enterprise number of IANA, which no vendor uses. */
const ENTERPRISE = '32473';
/** Default limit of rsyslog, and the minimum that RFC 5425 asks for. */
export const MAX_LINE_BYTES = 8_192;
const LONGEST_VALUE = 256;

const producers = {
  rfc5424: new Produce({ type: 'RFC5424' }),
  rfc3164: new Produce({ type: 'RFC3164' }),
};

export function syslogLine(entry: SyslogEntry, format: LineFormat): Buffer {
  const whole = withMessage(entry, format, documentText(entry.document));
  if (whole.length <= MAX_LINE_BYTES) return whole;
  const { detail: _, ...rest } = entry.document;
  const shorter = withMessage(
    entry,
    format,
    documentText({ ...rest, detail: { left_out: 'too long' } }),
  );
  return shorter.length <= MAX_LINE_BYTES
    ? shorter
    : wholeCharacters(shorter.subarray(0, MAX_LINE_BYTES));
}

function withMessage(entry: SyslogEntry, format: LineFormat, message: string): Buffer {
  const { rfc, hostname, auth } = format;
  const structured = structuredData(entry, auth);
  const line = producers[rfc].produce({
    facility: entry.facility,
    severity: entry.severity,
    date: entry.at,
    host: headerField(hostname, 255),
    appName: APP_NAME,
    pid: headerField(entry.processId, 128),
    msgID: headerField(entry.kind, 32),
    structuredData: structured,
    // In RFC 3164 the text is the only place for credentials.
    message: rfc === 'rfc3164' && auth ? `${authText(auth)} ${message}` : message,
  });
  return Buffer.from(rfc === 'rfc5424' ? exactTime(String(line), entry.at) : String(line));
}

/** RFC 5424 § 6: printable ASCII without spaces, or `-`. */
export function headerField(text: string, longest: number): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, longest) || '-';
}

/** glossy writes 5 ms as `.05`, and appends the local offset to the time in UTC. */
function exactTime(line: string, at: Date): string {
  return line.replace(/^(<\d+>1) \S+/, `$1 ${at.toISOString()}`);
}

function structuredData({ data }: SyslogEntry, auth: LineFormat['auth']) {
  const elements = { [`${APP_NAME}@${ENTERPRISE}`]: parameters(data) };
  return auth ? { ...elements, [`auth@${ENTERPRISE}`]: parameters({ ...auth }) } : elements;
}

/** Escaped by glossy, except for line ends. */
function parameters(values: SyslogEntry['data']): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, oneLine(value ?? '', LONGEST_VALUE)]),
  );
}

function authText({ username, password }: NonNullable<LineFormat['auth']>): string {
  const quote = (text: string) =>
    `"${oneLine(text, LONGEST_VALUE).replaceAll(/["\\\]]/g, '\\$&')}"`;
  return `[auth@${ENTERPRISE} username=${quote(username)} password=${quote(password)}]`;
}

/** JSON in ASCII: no line ends, no ambiguous encoding, no byte order mark. */
function documentText(document: Record<string, unknown>): string {
  return JSON.stringify(document).replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Removes a truncated character at the end; structured data may contain any. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  return lead < 0x80 ? bytes : bytes.subarray(0, end - 1);
}

/** A message on a stream, marked so that the collector finds its end. */
export function framed(line: Buffer, framing: SyslogSettings['syslog_framing']): Buffer {
  return framing === 'newline' ? lineEnded(line) : octetCounted(line);
}

/** RFC 6587 § 3.4.1, RFC 5425 § 4.3: octet counting, so that no byte in a message ends it. */
function octetCounted(line: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${line.length} `), line]);
}

/** RFC 6587 § 3.4.2. A line feed in the message would end it early, so it is escaped. */
function lineEnded(line: Buffer): Buffer {
  // Latin 1 keeps each byte, and no byte of a longer UTF-8 character is a line feed.
  const escaped = line.toString('latin1').replaceAll('\n', '\\n');
  return Buffer.from(`${escaped}\n`, 'latin1');
}
