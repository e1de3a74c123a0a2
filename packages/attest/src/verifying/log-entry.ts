/**
 * Whether an entry of a transparency log is of the certificate that it comes with. The library
 * compares the signature and the digest; an entry of another key would prove nothing about this one
 * (GHSA-whqx-f9j3-ch6m).
 */
import { pem } from '@sigstore/core';
import { isObject, type JsonObject } from '../formats/json.ts';
import { quote, Refusal } from '../reasons.ts';

export interface LogEntry {
  readonly kindVersion: { readonly kind: string; readonly version: string };
  readonly canonicalizedBody: Buffer;
}

type Path = readonly (string | number)[];

/** Where each kind of entry has the certificate: in PEM, or as bytes. */
const CERTIFICATES: Record<string, Path> = {
  'hashedrekord 0.0.1': ['signature', 'publicKey', 'content'],
  'hashedrekord 0.0.2': [
    'hashedRekordV002',
    'signature',
    'verifier',
    'x509Certificate',
    'rawBytes',
  ],
  'dsse 0.0.1': ['signatures', 0, 'verifier'],
  'intoto 0.0.2': ['content', 'envelope', 'signatures', 0, 'publicKey'],
};

/** @throws Refusal */
export function assertEntryOf({ kindVersion, canonicalizedBody }: LogEntry, der: Buffer): void {
  const kind = `${kindVersion.kind} ${kindVersion.version}`;
  const path = Object.hasOwn(CERTIFICATES, kind) ? CERTIFICATES[kind] : undefined;
  if (!path) throw new Refusal('LOG_ENTRY_UNKNOWN', { kind: quote(kind) });
  const text = valueAt(bodyOf(canonicalizedBody).spec, path);
  if (typeof text !== 'string') throw new Refusal('LOG_ENTRY_DIFFERS');
  const bytes = Buffer.from(text, 'base64');
  const logged = bytes.subarray(0, 5).toString() === '-----' ? pem.toDER(bytes.toString()) : bytes;
  if (!logged.equals(der)) throw new Refusal('LOG_ENTRY_DIFFERS');
}

function bodyOf(bytes: Buffer): JsonObject {
  try {
    const body: unknown = JSON.parse(bytes.toString());
    if (isObject(body)) return body;
  } catch {
    // It is refused below, as any other text that is no object.
  }
  throw new Refusal('LOG_ENTRY_INVALID');
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, name) => {
    if (Array.isArray(found) && typeof name === 'number') return found[name];
    return isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }, value);
}
