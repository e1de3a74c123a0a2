/** What this installation states about images: which kinds, and by which type of predicate. */

/**
 * `on`: signed statements about the tagged images of a folder are stored beside them. `with_tags`:
 * verdicts are under cosign's tags of attestations as well, where some readers look for them alone.
 */
export const STATEMENT_MODES = ['off', 'on', 'with_tags'] as const;
export type StatementMode = (typeof STATEMENT_MODES)[number];

/** `sbom` lists the packages, `vulns` what a scan found; a `promotion` is the record of a push. */
export const STATEMENT_KINDS = ['verdict', 'sbom', 'vulns', 'promotion'] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/** What readers ask for, such as `cosign verify-attestation --type`. */
export const PREDICATE_TYPES: Record<StatementKind, string> = {
  verdict: 'https://slsa.dev/verification_summary/v1',
  sbom: 'https://cyclonedx.org/bom',
  vulns: 'https://cosign.sigstore.dev/attestation/vuln/v1',
  promotion: 'urn:portcullis:promotion:v1',
};

/** Readers ask for a recent time in these; the others are as true later as they were. */
export const FRESH_KINDS: readonly StatementKind[] = ['verdict', 'vulns'];

/** Why a statement is not written, although it is wanted. */
export const LEFT_OUT = ['too_large', 'packages_unknown'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

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

/** By algorithm, as in-toto writes digests. */
type DigestSet = Readonly<Record<string, string>>;

/** An in-toto statement (https://in-toto.io/Statement/v1). */
export interface Statement {
  _type: 'https://in-toto.io/Statement/v1';
  subject: { name: string; digest: DigestSet }[];
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
    subject: [{ name: nameOf(image, by), digest: digestSet(image.digest) }],
    predicateType: PREDICATE_TYPES[kind],
    predicate,
  };
}

/** With the host, where it is known. */
export function nameOf({ repository }: Pick<StatedImage, 'repository'>, by: StatedBy): string {
  const host = hostOf(by);
  return host === null ? repository : `${host}/${repository}`;
}

/** This installation as a URI: its address, or its key where it has none. */
export function issuerOf({ publicUrl, keyId }: StatedBy): string {
  return publicUrl ?? `urn:portcullis:${keyId}`;
}

/** The address of the registry; null where no setting says it. */
export function hostOf({ publicUrl }: StatedBy): string | null {
  return publicUrl === null ? null : new URL(publicUrl).host;
}

export function digestSet(digest: string): DigestSet {
  const [algorithm = '', value = ''] = digest.split(':');
  return { [algorithm]: value };
}
