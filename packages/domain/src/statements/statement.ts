/** What this installation states about images: which kinds, and by which type of predicate. */

/**
 * `on`: signed statements about the tagged images of a folder are stored beside them. `with_tags`:
 * verdicts are under cosign's tags of attestations as well, where some readers look for them alone.
 */
export const STATEMENT_MODES = ['off', 'on', 'with_tags'] as const;
export type StatementMode = (typeof STATEMENT_MODES)[number];

export type StatementKind = 'verdict';

/** What readers ask for, such as `cosign verify-attestation --type`. */
export const PREDICATE_TYPES: Record<StatementKind, string> = {
  verdict: 'https://slsa.dev/verification_summary/v1',
};

/** What signs and where it is, as far as statements name it. */
export interface StatedBy {
  /** The key that signs. */
  keyId: string;
  /** Where callers reach this installation; null where no setting says so. */
  publicUrl: string | null;
  version: string;
}

export interface StatedImage {
  repository: string;
  digest: string;
}

/** An in-toto statement (https://in-toto.io/Statement/v1). */
export interface Statement {
  _type: 'https://in-toto.io/Statement/v1';
  subject: { name: string; digest: { sha256: string } }[];
  predicateType: string;
  predicate: object;
}

/** A statement names the digest; the name of the repository is for people. */
export function statementOf(
  kind: StatementKind,
  image: StatedImage,
  { by, predicate }: { by: StatedBy; predicate: object },
): Statement {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: nameOf(image, by), digest: { sha256: hexOf(image.digest) } }],
    predicateType: PREDICATE_TYPES[kind],
    predicate,
  };
}

/** With the host, where it is known. */
export function nameOf({ repository }: Pick<StatedImage, 'repository'>, by: StatedBy): string {
  return by.publicUrl === null ? repository : `${new URL(by.publicUrl).host}/${repository}`;
}

/** This installation as a URI: its address, or its key where it has none. */
export function issuerOf({ publicUrl, keyId }: StatedBy): string {
  return publicUrl ?? `urn:portcullis:${keyId}`;
}

function hexOf(digest: string): string {
  return digest.slice(digest.indexOf(':') + 1);
}
