/**
 * Recognises what keys of this installation stated, in whatever document it is. A reader elsewhere
 * may accept forms that are refused here, so that no form is asked for: a text that one of the keys
 * signed as a statement, and its signature, are all that another reader needs.
 */
import { PREDICATE_TYPES } from '@portcullis/domain';
import { inSlices, parseJson, type Steps } from '@portcullis/oci';
import { dsse } from '@sigstore/core';
import type { PublicKey } from '../authority/public-keys.ts';
import { STATEMENT_PAYLOAD } from '../formats/statement.ts';
import { signerOf } from '../verifying/verify-key.ts';

const STATED: readonly unknown[] = Object.values(PREDICATE_TYPES);
const PAYLOAD_BEGINS = '{"_type":"https://in-toto.io/Statement/';
/** Longer than any of them in base64. */
const BEGINNING = 120;
const BASE64 = /^[\w+/-]+={0,2}$/;
/** Of ECDSA in DER: a sequence of two integers. */
const SIGNATURE = { begins: 0x30, least: 60, most: 150 };
/** Of one envelope: no program writes more, and each pair of them is verified. */
const MOST = { payloads: 4, signatures: 16 };

/**
 * Any account that may push chooses the document, so that it is parsed and searched in slices.
 *
 * @param keys with which this installation signs or ever signed
 */
export async function isStatedBy(
  keys: readonly PublicKey[],
  document: Uint8Array,
): Promise<boolean> {
  const root = await parseJson(document).catch(() => null);
  return inSlices(searching(keys, root));
}

/** Looks at the document and all objects and lists within it. */
function* searching(keys: readonly PublicKey[], root: unknown): Steps<boolean> {
  const found = root !== null && typeof root === 'object' ? [root] : [];
  for (const object of found) {
    if (yield* isStatement(keys, object)) return true;
    for (const each of objectMembers(object)) found.push(each);
    yield;
  }
  return false;
}

/** An envelope: its payload is a member of it, and its signatures are in a list of objects. */
function* isStatement(keys: readonly PublicKey[], object: object): Steps<boolean> {
  const payloads = new Set((yield* textsOf(object)).filter(isPayload));
  if (payloads.size === 0) return false;
  const signatures = new Set<string>();
  for (const each of closeTo(object))
    for (const text of yield* textsOf(each)) if (isSignature(text)) signatures.add(text);
  if (signatures.size === 0) return false;
  // Which of them a reader would take is not known.
  if (payloads.size > MOST.payloads || signatures.size > MOST.signatures) return true;
  return [...payloads].some((text) => {
    const payload = Buffer.from(text, 'base64');
    const signed = dsse.preAuthEncoding(STATEMENT_PAYLOAD, payload);
    const isSigned = [...signatures].some((each) =>
      signerOf(keys, { signed, signature: Buffer.from(each, 'base64') }),
    );
    return isSigned && STATED.includes(JSON.parse(payload.toString()).predicateType);
  });
}

/** It, its members, and theirs: no object is looked at more than three times. */
function closeTo(object: object): object[] {
  const members = objectMembers(object);
  return [object, ...members, ...members.flatMap(objectMembers)];
}

function objectMembers(object: object): object[] {
  return Object.values(object).filter((value) => value !== null && typeof value === 'object');
}

const TEXTS_AT_ONCE = 1_000;

/** Readers of base64 leave out the ends of lines. */
function* textsOf(object: object): Steps<string[]> {
  const texts: string[] = [];
  for (const value of Object.values(object)) {
    if (typeof value !== 'string') continue;
    texts.push(value.replaceAll(/[\r\n]+/g, ''));
    if (texts.length % TEXTS_AT_ONCE === 0) yield;
  }
  return texts;
}

function isPayload(text: string): boolean {
  const beginning = Buffer.from(text.slice(0, BEGINNING), 'base64').toString();
  return beginning.startsWith(PAYLOAD_BEGINS);
}

function isSignature(text: string): boolean {
  if (text.length > 2 * SIGNATURE.most || !BASE64.test(text)) return false;
  const bytes = Buffer.from(text, 'base64');
  const isLong = bytes.length >= SIGNATURE.least && bytes.length <= SIGNATURE.most;
  return isLong && bytes[0] === SIGNATURE.begins;
}
