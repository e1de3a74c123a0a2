/**
 * The registry's own words on why it refused. They are shown to people, so they are bounded, and
 * have neither control characters nor what looks like a credential.
 */

const MAX_WORDS = 300;
const MAX_ERRORS = 5;
const HIDDEN = '***';

/** Control and format characters, such as those that reverse the text, and white space. */
const UNPRINTABLE = /[\p{C}\p{Z}\s]+/gu;

const CREDENTIALS: readonly RegExp[] = [
  /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/giu,
  /\beyJ[\w-]{10,}(?:\.[\w-]+)*/gu,
  /(?<=:\/\/)[^\s/@]+(?=@)/gu,
  /(?<=\b(?:password|passwd|secret|token|signature|credential|x-amz-[\w-]+|sig|api[_-]?key)["']?\s?[=:]\s?["']?)[^\s"'&,;]+/giu,
];

/** The messages of `errors`, each once; undefined where none has one. */
export function registryWords(errors: readonly unknown[]): string | undefined {
  const messages = new Set(errors.slice(0, MAX_ERRORS).map(messageOf));
  return readBounded([...messages].filter((message) => message !== '').join('; '));
}

function readBounded(words: string): string | undefined {
  if (words === '') return undefined;
  return words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS).trimEnd()}…` : words;
}

/** Where the words are in documents of other products, of proxies, and of object stores. */
const FIELDS = ['message', 'error_message', 'error_description', 'details', 'detail', 'error'];
const ELEMENTS = [/<message>([^<]*)</i, /<title>([^<]*)</i, /<h1>([^<]*)</i];
const MAX_READ = 16 * 1024;

/** The words of an answer that is not in the form of the specification; undefined without any. */
export function bodyWords(body: Uint8Array): string | undefined {
  const text = Buffer.from(body).subarray(0, MAX_READ).toString('utf8').trim();
  if (text.startsWith('{')) return readBounded(clean(fieldIn(text)));
  if (text.startsWith('<')) {
    const found = ELEMENTS.map((element) => element.exec(text)?.[1] ?? '');
    return readBounded(clean(found.find((each) => each.trim() !== '') ?? ''));
  }
  return text.startsWith('[') || text.includes('\ufffd') ? undefined : readBounded(clean(text));
}

function fieldIn(text: string): string {
  try {
    const document: unknown = JSON.parse(text);
    const known = new Map(Object.entries(Object(document)));
    const texts = FIELDS.map((field) => known.get(field)).filter(
      (value) => typeof value === 'string',
    );
    return texts.find((value) => value !== '') ?? '';
  } catch {
    return '';
  }
}

function messageOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { message, detail } = error as { message?: unknown; detail?: unknown };
  return [message, detail]
    .flatMap((text) => (typeof text === 'string' ? clean(text) : []))
    .join(': ');
}

function clean(text: string): string {
  const plain = text
    .slice(0, 4 * MAX_WORDS)
    .toWellFormed()
    .replace(UNPRINTABLE, ' ')
    .trim();
  return CREDENTIALS.reduce((known, pattern) => known.replace(pattern, HIDDEN), plain);
}

/** The bytes of an answer without the secrets that were sent in the request. */
export function withoutSecrets(body: Buffer, secrets: readonly string[]): Buffer {
  const text = body.toString('latin1');
  const hidden = secrets
    .filter((secret) => secret.length > 0)
    .map((secret) => Buffer.from(secret).toString('latin1'))
    .reduce((known, secret) => known.replaceAll(secret, HIDDEN), text);
  return hidden === text ? body : Buffer.from(hidden, 'latin1');
}
