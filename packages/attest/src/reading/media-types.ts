/** How signatures are recognised: by the types of layers, and of artifacts that may hold them. */

export const SIMPLE_SIGNING = 'application/vnd.dev.cosign.simplesigning.v1+json';
export const DSSE_ENVELOPE = 'application/vnd.dsse.envelope.v1+json';
export const NOTARY_JWS = 'application/jose+json';
export const NOTARY_COSE = 'application/cose';
export const NOTARY_ARTIFACT = 'application/vnd.cncf.notary.signature';
const BUNDLE = /^application\/vnd\.dev\.sigstore\.bundle(?:\.v0\.3)?\+json(?:;|$)/;

export function isBundleType(mediaType: string): boolean {
  return BUNDLE.test(mediaType);
}

const HOLDS_SIGNATURES =
  /^application\/vnd\.(?:dev\.sigstore\.bundle|dev\.cosign\.|dsse\.envelope|cncf\.notary\.signature)/;

/**
 * Lists of referrers that clients keep under a tag have these in place of the artifact's type, or
 * nothing: cosign 3 writes the first one.
 */
const UNSPECIFIC = new Set([
  '',
  'application/vnd.oci.empty.v1+json',
  'application/vnd.oci.image.config.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
]);

/** How likely a referrer is to be a signature: 0 for what says so, 1 where nothing is said. */
export function rankOf(artifactType = ''): 0 | 1 | null {
  if (HOLDS_SIGNATURES.test(artifactType)) return 0;
  return UNSPECIFIC.has(artifactType) ? 1 : null;
}
