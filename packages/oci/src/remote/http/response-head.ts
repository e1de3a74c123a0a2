/**
 * Parser for HTTP/1.1 response heads (RFC 9112 § 4 to 6). Strict, because it decides where one
 * response ends and the next begins on a connection.
 */

/** Names in lower case; repeated fields are joined with commas. */
export type Headers = Readonly<Record<string, string>>;

export type Framing =
  | { kind: 'length'; length: number }
  | { kind: 'chunked' }
  | { kind: 'until-close' };

export interface ResponseHead {
  status: number;
  headers: Headers;
  framing: Framing;
  /** Whether the connection can be reused after the body has been read. */
  reusable: boolean;
}

export const MAX_HEAD_BYTES = 64 * 1024;
const MAX_FIELDS = 200;

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const FIELD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/;

/** Invalid HTTP from the server. The message names the rule, never the received bytes. */
export class ProtocolFault extends Error {
  override readonly name = 'ProtocolFault';
}

/** Position after the blank line, or -1 while the head is incomplete. */
export function endOfHead(bytes: Uint8Array): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf('\r\n\r\n');
  return at < 0 ? -1 : at + 4;
}

/**
 * @param text The head in latin-1, with its blank line.
 * @param method The request method: a response to HEAD has no body.
 * @throws ProtocolFault
 */
export function parseResponseHead(text: string, method: string): ResponseHead {
  const [statusLine = '', ...lines] = text.slice(0, -4).split('\r\n');
  const match = STATUS_LINE.exec(statusLine);
  if (!match) throw new ProtocolFault('the status line is malformed');
  const headers = parseFields(lines);
  const status = Number(match[2]);
  const framing = framingOf(status, headers, method);
  const closes = /(?:^|,)\s*close\s*(?:,|$)/i.test(headers.connection ?? '');
  const reusable = match[1] === '1' && !closes && framing.kind !== 'until-close';
  return { status, headers, framing, reusable };
}

function parseFields(lines: readonly string[]): Headers {
  if (lines.length > MAX_FIELDS) throw new ProtocolFault('there are too many header fields');
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const match = FIELD.exec(line);
    const name = match?.[1]?.toLowerCase();
    const value = match?.[2];
    if (name === undefined || value === undefined)
      throw new ProtocolFault('a header field is malformed');
    const before = headers[name];
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

/** RFC 9112 § 6.3. Both lengths together allow response smuggling and are refused. */
function framingOf(status: number, headers: Headers, method: string): Framing {
  const length = headers['content-length'];
  const encoding = headers['transfer-encoding'];
  if (length !== undefined && encoding !== undefined) {
    throw new ProtocolFault('both Content-Length and Transfer-Encoding are given');
  }
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304)
    return { kind: 'length', length: 0 };
  if (encoding !== undefined) {
    if (encoding.toLowerCase() !== 'chunked')
      throw new ProtocolFault('the transfer encoding is not chunked');
    return { kind: 'chunked' };
  }
  return length === undefined
    ? { kind: 'until-close' }
    : { kind: 'length', length: parseLength(length) };
}

/** Repeated equal values are one value (RFC 9110 § 8.6); different ones are an error. */
function parseLength(text: string): number {
  const values = new Set(text.split(',').map((value) => value.trim()));
  const [value = ''] = values;
  if (values.size !== 1 || !/^\d{1,15}$/.test(value))
    throw new ProtocolFault('Content-Length is malformed');
  return Number(value);
}

const CHUNK_SIZE = /^([0-9a-fA-F]{1,12})[ \t]*(?:;[^\r\n]*)?$/;

/** @throws ProtocolFault */
export function parseChunkSize(line: string): number {
  const match = CHUNK_SIZE.exec(line);
  if (!match?.[1]) throw new ProtocolFault('a chunk size is malformed');
  return Number.parseInt(match[1], 16);
}
