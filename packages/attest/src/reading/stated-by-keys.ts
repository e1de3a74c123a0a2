/**
 * Recognises what keys of this installation stated, in whatever document it is. A reader elsewhere
 * may accept forms that are refused here, so that no form is asked for: a text that one of the keys
 * signed as a statement, and its signature, are all that another reader needs.
 */
import { PREDICATE_TYPES } from '@portcullis/domain';
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

/** @param keys with which this installation signs or ever signed */
export function isStatedBy(keys: readonly PublicKey[], document: Uint8Array): boolean {
  return objectsIn(parse(document)).some((object) => isStatement(keys, object));
}

/** An envelope: its payload is a member of it, and its signatures are in a list of objects. */
function isStatement(keys: readonly PublicKey[], object: object): boolean {
  const payloads = new Set(textsOf(object).filter(isPayload));
  if (payloads.size === 0) return false;
  const signatures = new Set(closeTo(object).flatMap(textsOf).filter(isSignature));
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

/** It and all objects and lists within it. */
function objectsIn(root: unknown): object[] {
  const found = root !== null && typeof root === 'object' ? [root] : [];
  for (const object of found) for (const each of objectMembers(object)) found.push(each);
  return found;
}

/** Readers of base64 leave out the ends of lines. */
function textsOf(object: object): string[] {
  const texts = Object.values(object).filter((value) => typeof value === 'string');
  return texts.map((text) => text.replaceAll(/[\r\n]+/g, ''));
}

function parse(document: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(document).toString());
  } catch {
    return null;
  }
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
