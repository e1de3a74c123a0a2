/** Distinguished names: of certificates, and of trusted identities (RFC 4514, as in notation). */
import type { ASN1Obj, X509Certificate } from '@sigstore/core';

/** Attributes by their short names, each once. */
export type DistinguishedName = ReadonlyMap<string, string>;

const NAMES: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'SERIALNUMBER',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.17': 'POSTALCODE',
};
const MANDATORY = ['C', 'ST', 'O'];

/** Null for a name that notation refuses, too: an attribute is there twice, or one is missing. */
export function parseDistinguishedName(text: string): DistinguishedName | null {
  const parts = text
    .split(/(?<!\\),/)
    .map((part) => /^\s*([A-Za-z][A-Za-z0-9.]*)\s*=\s*(.*?)\s*$/.exec(part));
  // Several attributes in one part, quotes, and values as bytes: one name could be written twice.
  if (/[+;"]|=\s*#/.test(text.replaceAll(/\\./g, '')) || /\\[0-9a-f]{2}/i.test(text)) return null;
  const attributes = parts.map((part) => {
    const name = part?.[1]?.toUpperCase() ?? '';
    return [name === 'S' ? 'ST' : name, plain(part?.[2] ?? '')] as const;
  });
  return uniqueName(attributes);
}

function plain(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

function uniqueName(attributes: readonly (readonly [string, string])[]): DistinguishedName | null {
  const name = new Map(attributes);
  const isWhole = attributes.every(([key, value]) => key !== '' && value !== '');
  const isUnique = name.size === attributes.length;
  return isWhole && isUnique && MANDATORY.every((key) => name.has(key)) ? name : null;
}

/** The subject comes after version, number, algorithm, issuer and validity. */
const SUBJECT = 5;
const decoder = new TextDecoder('utf-8', { fatal: true });
/** UTF8String, PrintableString and IA5String. */
const TEXTS = new Set([0x0c, 0x13, 0x16]);

/** The subject of a certificate; null where an attribute is there twice, or is no text. */
export function subjectName({ tbsCertificate }: X509Certificate): DistinguishedName | null {
  const parts = tbsCertificate.subs[SUBJECT]?.subs ?? [];
  const attributes = parts.map(attributeOf);
  return attributes.every((each) => each !== null) ? uniqueName(attributes) : null;
}

function attributeOf({ subs }: ASN1Obj): readonly [string, string] | null {
  const [pair, ...more] = subs;
  const [type, value] = pair?.subs ?? [];
  if (!type || !value || more.length > 0 || !TEXTS.has(value.toDER()[0] ?? 0)) return null;
  const oid = type.toOID();
  return [NAMES[oid] ?? oid, decoder.decode(value.value)];
}

export function isPartOf(part: DistinguishedName, whole: DistinguishedName): boolean {
  return [...part].every(([key, value]) => whole.get(key) === value);
}
