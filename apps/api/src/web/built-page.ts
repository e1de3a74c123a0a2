/** Reads the build output of `apps/web` once; requests do not access the disk. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

/** In order of preference. */
export const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
type Encoding = (typeof ENCODINGS)[number][0];

export interface Asset {
  type: string;
  /** The name contains a hash of the content, so the file never changes. */
  hashed: boolean;
  body: Buffer;
  /** Weak, because it is the same in every encoding. */
  etag: string;
  encoded: Partial<Record<Encoding, Buffer>>;
}

export interface BuiltPage {
  /** The document; `__NONCE__` is replaced in each reply. */
  index: string;
  /** By their path, `/assets/…`. */
  assets: ReadonlyMap<string, Asset>;
}

/** Null without a build. */
export function readBuiltPage(dir: string): BuiltPage | null {
  const files = list(dir);
  if (!files.includes('index.html')) return null;
  const names = files.filter((file) => path.extname(file) in TYPES);
  return {
    index: readFileSync(path.join(dir, 'index.html'), 'utf8'),
    assets: new Map(names.map((name) => [`/${name}`, readAsset(dir, name, files)])),
  };
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}

function readAsset(dir: string, name: string, files: string[]): Asset {
  const built = ENCODINGS.filter(([, ending]) => files.includes(name + ending));
  const encoded = built.map(([encoding, ending]) => [
    encoding,
    readFileSync(path.join(dir, name + ending)),
  ]);
  const body = readFileSync(path.join(dir, name));
  return {
    type: TYPES[path.extname(name)] ?? 'application/octet-stream',
    hashed: name.startsWith('assets/'),
    body,
    etag: `W/"${createHash('sha256').update(body).digest('base64url')}"`,
    encoded: Object.fromEntries(encoded),
  };
}
