/** Trust roots of Sigstore: whose certificates, logs and timestamps are believed. */
import { readFileSync } from 'node:fs';
import type { X509Certificate } from '@sigstore/core';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { type TrustMaterial, toTrustMaterial } from '@sigstore/verify';
import { AuthorityRefusal } from '../authority/faults.ts';
import { unknownCriticalExtension } from '../verifying/extensions.ts';
import { TrustedCertificate } from './trusted-certificate.ts';

export interface OpenedRoot {
  readonly material: TrustMaterial;
  /** The addresses of logs, by their id in hexadecimal digits. */
  readonly logs: ReadonlyMap<string, string>;
  /** The addresses of timestamp authorities, by `timestampSigner`. */
  readonly timestamps: ReadonlyMap<string, string>;
}

/** Names the certificate that signed a timestamp. */
export function timestampSigner(issuer: Buffer, serialNumber: Buffer): string {
  return `${issuer.toString('hex')} ${serialNumber.toString('hex')}`;
}

/**
 * The root of the public Sigstore instance, as @sigstore/tuf 5.0.1 of this day brings it along. It
 * grows old: later instances of its services are not in it.
 */
export const SIGSTORE_ROOT_DATE = '2026-11-05';

const FIELD = 'root';
const TYPE = 'application/vnd.dev.sigstore.trustedroot';

let sigstore: OpenedRoot | undefined;

/** @param text `sigstore`, or a trusted_root.json. @throws AuthorityRefusal */
export function openRoot(text: string): OpenedRoot {
  if (text !== 'sigstore') return parseRoot(text);
  sigstore ??= parseRoot(readFileSync(new URL('sigstore.json', import.meta.url), 'utf8'));
  return sigstore;
}

function parseRoot(text: string): OpenedRoot {
  const { root, material } = parse(text);
  if (!root.mediaType.startsWith(TYPE)) throw new AuthorityRefusal('ROOT_INVALID', FIELD);
  const { certificateAuthorities, timestampAuthorities, tlogs } = material;
  const isEmpty =
    certificateAuthorities.length === 0 || timestampAuthorities.length + tlogs.length === 0;
  if (isEmpty) throw new AuthorityRefusal('ROOT_EMPTY', FIELD);
  const certificates = [...certificateAuthorities, ...timestampAuthorities].flatMap(
    ({ certChain }) => certChain,
  );
  assertUnderstood(certificates);
  const logs = new Map(tlogs.map(({ logID, baseURL }) => [logID.toString('hex'), baseURL]));
  const timestamps = new Map(
    timestampAuthorities.map(({ certChain: [signer] }, at) => [
      signer ? timestampSigner(signer.issuer, signer.serialNumber) : '',
      root.timestampAuthorities[at]?.uri ?? '',
    ]),
  );
  return { material, logs, timestamps };
}

function parse(text: string): { root: TrustedRoot; material: TrustMaterial } {
  try {
    const root = TrustedRoot.fromJSON(JSON.parse(text));
    return { root, material: remembering(toTrustMaterial(root)) };
  } catch (cause) {
    throw new AuthorityRefusal('ROOT_INVALID', FIELD, {}, { cause });
  }
}

function remembering(material: TrustMaterial): TrustMaterial {
  const { certificateAuthorities, timestampAuthorities } = material;
  return {
    ...material,
    certificateAuthorities: certificateAuthorities.map(rememberChain),
    timestampAuthorities: timestampAuthorities.map(rememberChain),
  };
}

type Authority = TrustMaterial['certificateAuthorities'][number];

function rememberChain({ certChain, validFor }: Authority): Authority {
  return { validFor, certChain: certChain.map(({ root }) => new TrustedCertificate(root)) };
}

/** A constraint that isn't enforced would be ignored, such as those of names. */
function assertUnderstood(certificates: readonly X509Certificate[]): void {
  const extension = certificates.map(unknownCriticalExtension).find((each) => each !== undefined);
  if (extension) throw new AuthorityRefusal('ROOT_INVALID', FIELD, { extension });
}
