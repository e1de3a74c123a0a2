/** Trust stores and trusted identities of the Notary Project. */
import { pem } from '@sigstore/core';
import {
  type ChainCertificate,
  isSelfSigned,
  readCertificate,
  subjectOf,
} from '../notary/chain.ts';
import { type DistinguishedName, parseDistinguishedName } from '../notary/distinguished-name.ts';
import { AuthorityRefusal } from './faults.ts';
import { pemBlocks } from './pem.ts';

/** @throws AuthorityRefusal */
export function openStore(
  field: string,
  text: string | undefined,
  isFit: (certificate: ChainCertificate) => boolean = isTrustAnchor,
): readonly ChainCertificate[] {
  if (text === undefined) return [];
  const blocks = pemBlocks(text);
  if (!blocks?.every(({ label }) => label === 'CERTIFICATE')) {
    throw new AuthorityRefusal('STORE_INVALID', field);
  }
  const certificates = blocks.map((block) => parse(block.text, field));
  const unfit = certificates.find((certificate) => !isFit(certificate));
  if (!unfit) return certificates;
  throw new AuthorityRefusal('STORE_CERTIFICATE_UNFIT', field, { subject: subjectOf(unfit) });
}

/** An authority, or the certificate of one signer that has no other issuer. */
function isTrustAnchor(certificate: ChainCertificate): boolean {
  return certificate.node.ca || isSelfSigned(certificate);
}

function parse(text: string, field: string): ChainCertificate {
  try {
    return readCertificate(pem.toDER(text));
  } catch (cause) {
    throw new AuthorityRefusal('STORE_INVALID', field, {}, { cause });
  }
}

const SUBJECT = 'x509.subject:';

/** @returns none for `*`. @throws AuthorityRefusal */
export function openIdentities(texts: readonly string[]): readonly DistinguishedName[] {
  if (texts.length === 1 && texts[0] === '*') return [];
  return texts.map((text) => {
    const name = text.startsWith(SUBJECT) && parseDistinguishedName(text.slice(SUBJECT.length));
    if (name) return name;
    throw new AuthorityRefusal('IDENTITY_INVALID', 'identities', { identity: text });
  });
}
