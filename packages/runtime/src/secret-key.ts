/** The key of all secrets at rest: `SECRET_KEY`, or a generated one in `DATA_DIR/secret.key`. */
import { createHash, randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { invalid, isAppError } from '@portcullis/errors';
import { createOnce, readText, writePrivately } from './process/create-once.ts';

export interface SecretKeyOptions {
  /** `SECRET_KEY`: 32 bytes in hex or base64, or a pass phrase of at least 16 characters. */
  secretKey?: string | undefined;
  /** `SECRET_KEY_PREVIOUS`, while the key is changed. */
  previousKey?: string | undefined;
  dataDir: string;
}

const KEY_BYTES = 32;
const SHORTEST_PHRASE = 16;

/**
 * The key of all secrets at rest: configured, or generated once and stored in `DATA_DIR/secret.key`
 * (0600).
 */
export async function loadSecretKey({ secretKey, dataDir }: SecretKeyOptions): Promise<Buffer> {
  if (secretKey) return parseKey(secretKey);
  const file = path.join(dataDir, FILE);
  return (await readKey(file)) ?? createKey(file);
}

/**
 * While the key is changed, the next one is stored in a second file; `rotateKeyFile` renames it.
 */
const FILE = 'secret.key';
const NEXT_FILE = 'secret.key.next';

/**
 * The key to seal with, then others that stored secrets may still need: `SECRET_KEY_PREVIOUS`, or
 * the next key of an interrupted change.
 */
export async function loadSecretKeys(options: SecretKeyOptions): Promise<[Buffer, ...Buffer[]]> {
  const key = await loadSecretKey(options);
  if (options.secretKey) return options.previousKey ? [key, parseKey(options.previousKey)] : [key];
  const next = await readKey(path.join(options.dataDir, NEXT_FILE));
  return next ? [key, next] : [key];
}

/**
 * Installs the key of a backup. The existing one is kept in another file: some secrets may still
 * need it.
 */
export async function installSecretKey(dataDir: string, key: Buffer): Promise<void> {
  const file = path.join(dataDir, FILE);
  const before = await readKey(file);
  if (before?.equals(key)) return;
  const draft = `${file}.${process.pid}`;
  await writePrivately(draft, key.toString('hex'));
  if (before) await rename(file, `${file}.replaced-${Date.now()}`);
  await rename(draft, file);
}

export interface KeyChange {
  /** Kept until the change is complete: an interrupted change continues with it. */
  next: Buffer;
  /** Makes the next key the current one. */
  finish(): Promise<void>;
}

/** Only where the key is stored in DATA_DIR. */
export async function beginKeyChange(dataDir: string): Promise<KeyChange> {
  const [file, nextFile] = [path.join(dataDir, FILE), path.join(dataDir, NEXT_FILE)];
  const next = (await readKey(nextFile)) ?? (await createKey(nextFile));
  return { next, finish: () => rename(nextFile, file) };
}

function parseKey(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  const decoded = Buffer.from(text, 'base64');
  if (decoded.length === KEY_BYTES && decoded.toString('base64') === text) return decoded;
  if (text.length >= SHORTEST_PHRASE) return createHash('sha256').update(text).digest();
  throw invalid(
    'SECRET_KEY_INVALID',
    'SECRET_KEY must be 32 bytes in hex or base64, or at least 16 characters',
  );
}

async function readKey(file: string): Promise<Buffer | null> {
  const text = await readText(file);
  try {
    return text === null ? null : parseKey(text);
  } catch (error) {
    if (isAppError(error)) throw invalid('SECRET_KEY_INVALID', `${file} does not hold a key`);
    throw error;
  }
}

async function createKey(file: string): Promise<Buffer> {
  return parseKey(await createOnce(file, () => randomBytes(KEY_BYTES).toString('hex')));
}
