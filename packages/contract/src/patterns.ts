/**
 * The grammars of fields as regular expressions for the OpenAPI document, in the syntax that
 * JavaScript, Python and RE2 share: no `\p{…}`, look-around or named groups. The server never
 * refuses a matching text for its grammar; where it accepts more (mostly other scripts), the
 * description of the field says so.
 */
import { FOLDER_WORDS } from './folder-words.ts';

const CONTROL = '\\x00-\\x1f\\x7f-\\x9f';

/** Text that a database column can store. */
export const TEXT = '^[^\\x00]*$';
/** At least one character that is not blank: texts are trimmed. */
export const NONBLANK = '^[^\\x00]*[^\\x00\\s][^\\x00]*$';
export const ONE_LINE = `^[^${CONTROL}]*$`;
export const isOneLine = (text: string) => new RegExp(ONE_LINE).test(text);
export const NONBLANK_LINE = `^[^${CONTROL}]*[^${CONTROL}\\s][^${CONTROL}]*$`;
export const ABSOLUTE_PATH = `^/[^${CONTROL}]*$`;
/** The form of a cursor; lists issue them. */
export const CURSOR = '^[!-~]+$';

const ALPHANUMERIC = '[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*';
const REPOSITORY_PATH = `${ALPHANUMERIC}(?:/${ALPHANUMERIC})*`;
const TAG_WORD = '[A-Za-z0-9_][A-Za-z0-9._-]{0,127}';
const DIGEST_WORD = 'sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128}';

export const REPOSITORY = `^${REPOSITORY_PATH}$`;
export const TAG = `^${TAG_WORD}$`;
export const TAG_OR_DIGEST = `^(?:${TAG_WORD}|${DIGEST_WORD})$`;
export const DIGEST = `^(?:${DIGEST_WORD})$`;
/** `CVE-2026-1234`, `GHSA-…`, `RUSTSEC-…` and the like. */
export const VULNERABILITY = '^[A-Za-z0-9][A-Za-z0-9._:-]{2,127}$';
export const IMAGE = `^${REPOSITORY_PATH}(?::${TAG_WORD}|@(?:${DIGEST_WORD}))?$`;
/** Limits the length of the repository in an image. */
export const IMAGE_LENGTH = '^[^:@]{1,255}(?:[:@]|$)';

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
/** A host whose last label looks like a number would be read as an IPv4 address. */
const LAST_LABEL = '(?:[A-Za-z]|[1-9][0-9]*[A-Za-z])(?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const NAME = `(?:${LABEL}\\.)*${LAST_LABEL}\\.?`;
const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const IPV4 = `(?:${BYTE}\\.){3}${BYTE}`;
const PORT =
  '(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})';
const HOST_PORT = `(?:${NAME}|${IPV4}|\\[${ipv6()}\\])(?::${PORT})?`;

export const HOST = `^${HOST_PORT}$`;
export const ISSUER = `^https?://${HOST_PORT}(?:/[A-Za-z0-9._~!$&'()*+,;=:@/-]*)?$`;
export const WEBHOOK_URL = `^https?://${HOST_PORT}(?:/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?(?:\\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?$`;
const USERINFO = "[A-Za-z0-9._~!$&'()*+,;=-]+";
export const PROXY_URL = `^https?://(?:${USERINFO}(?::${USERINFO})?@)?${HOST_PORT}/?$`;

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+";
export const MAIL_ADDRESS = `^(?:[^${CONTROL}<>"]*<${ATOM}@${ATOM}>|${ATOM}@${ATOM})$`;

export const USERNAME = '^[A-Za-z0-9][A-Za-z0-9._@+-]{0,127}$';
/** A path of this site: neither `//host` nor a backslash, which browsers read as a slash. */
export const LOCAL_PATH = '^/(?:[!-.0-\\[\\]-~][!-\\[\\]-~]*)?$';

export const FOLDER = '^[a-z0-9]+(?:[._-][a-z0-9]+)*$';
/** Reserved words, and names in the form of an id. */
export const FOLDER_EXCEPTIONS = [
  { enum: [...FOLDER_WORDS] },
  { pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
];

export const TIMEZONE = '^[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*$';
const MONTHS = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC';
const DAYS = 'SUN|MON|TUE|WED|THU|FRI|SAT';
/** Five fields, or six with seconds first. It is not checked whether such a time exists. */
export const CRON = `^(?:${[
  `(?:${field('[0-5]?[0-9]')} +)?${field('[0-5]?[0-9]')}`,
  field('2[0-3]|[01]?[0-9]'),
  field('3[01]|[12][0-9]|0?[1-9]'),
  field(`1[0-2]|0?[1-9]|${MONTHS}`),
  field(`[0-7]|${DAYS}`),
].join(' +')})$`;

function field(value: string): string {
  const part = `(?:\\*|(?:${value})(?:-(?:${value}))?)(?:/[1-9][0-9]?)?`;
  return `${part}(?:,${part})*`;
}

/** RFC 4291 § 2.2, forms 1 and 2: at most one run of zeros is omitted. */
function ipv6(): string {
  const group = '[0-9A-Fa-f]{1,4}';
  const shortened = Array.from(
    { length: 6 },
    (_, n) => `(?:${group}:){1,${n + 1}}(?::${group}){1,${6 - n}}`,
  );
  return `(?:(?:${group}:){7}${group}|(?:${group}:){1,7}:|:(?::${group}){1,7}|::|${shortened.join('|')})`;
}
