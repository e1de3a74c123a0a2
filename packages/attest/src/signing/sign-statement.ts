/** Signs a statement: DSSE envelope, and the bundle of Sigstore that cosign and others read. */
import { bundleToJSON, toDSSEBundle } from '@sigstore/bundle';
import { dsse } from '@sigstore/core';
import { PREDICATE_ANNOTATION, STATEMENT_PAYLOAD } from '../formats/statement.ts';
import { LIMITS } from '../limits.ts';
import { DSSE_ENVELOPE } from '../reading/media-types.ts';
import type { SigningKey } from './signing-key.ts';

/** Of a bundle: more is not read of one signature, here and elsewhere. */
export const MAX_STATEMENT_BYTES = LIMITS.signatureBytes;
const BUNDLE_TYPE = 'application/vnd.dev.sigstore.bundle.v0.3+json';

interface SignedStatement {
  /** The same without the bundle, as cosign keeps attestations under a tag. */
  envelope: { mediaType: string; bytes: Uint8Array };
  mediaType: string;
  bytes: Uint8Array;
  /** As cosign writes them on the manifest, so that lists tell what it is. */
  annotations: Record<string, string>;
}

/**
 * The key alone vouches for it: there is no log and no timestamp. It is not named, because cosign
 * verifies no envelope that names a key.
 */
export function signStatement(
  key: SigningKey,
  statement: { predicateType: string },
): SignedStatement {
  const payload = Buffer.from(JSON.stringify(statement));
  const bundle = toDSSEBundle({
    artifact: payload,
    artifactType: STATEMENT_PAYLOAD,
    signature: key.sign(dsse.preAuthEncoding(STATEMENT_PAYLOAD, payload)),
  });
  const document = bundleToJSON(bundle);
  return {
    envelope: {
      mediaType: DSSE_ENVELOPE,
      bytes: Buffer.from(JSON.stringify(document.dsseEnvelope)),
    },
    mediaType: BUNDLE_TYPE,
    bytes: Buffer.from(JSON.stringify(document)),
    annotations: {
      'dev.sigstore.bundle.content': 'dsse-envelope',
      [PREDICATE_ANNOTATION]: statement.predicateType,
    },
  };
}
