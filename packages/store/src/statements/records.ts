import type {
  AuditEvent,
  LeftOut,
  StatedPromotion,
  StatedScan,
  StatedVerdict,
  StatementKind,
} from '@portcullis/domain';

/** A statement about an image of a repository. */
export interface StatementKey {
  repository: string;
  digest: string;
  kind: StatementKind;
  /** Tells statements of one kind apart: the push of a promotion. Empty for the other kinds. */
  about: string;
}

/** What a statement is made from. */
interface StatedFacts {
  verdict: StatedVerdict;
  sbom: StatedScan;
  vulns: StatedScan;
  promotion: StatedPromotion;
}

type KindFacts = {
  [Kind in StatementKind]: { kind: Kind; facts: StatedFacts[Kind] };
}[StatementKind];

/** What a statement has to say. */
export interface WantedStatement {
  folder: string;
  /** A hash of it. */
  says: string;
  /** The image's manifest. */
  mediaType: string;
  size: number;
  /** Whether it is under cosign's tag of attestations as well. */
  isTagged: boolean;
  stated: KindFacts;
}

/** One that a worker writes or withdraws. */
export interface ClaimedStatement extends StatementKey {
  /** Fences the writes of its worker. */
  attempts: number;
  says: string | null;
  /** The one that is stored. */
  manifest: string | null;
  keyId: string | null;
  /** Manifests that are to be removed. */
  leftover: string[];
  /** Null: none is wanted any more. */
  wanted: WantedStatement | null;
}

export interface WrittenStatement {
  manifest: string;
  /** The manifest under cosign's tag of attestations; null where it is not there. */
  tagged: string | null;
  says: string;
  keyId: string;
  event: AuditEvent | null;
}

/** One that is wanted and can not be written. */
export interface LeftOutStatement extends Pick<WrittenStatement, 'says' | 'keyId'> {
  why: LeftOut;
}

/** As it is shown of an image. */
export interface ImageStatement {
  kind: StatementKind;
  /** The push of a promotion. */
  about: string | null;
  /** Of its manifest; null where none is in force. */
  digest: string | null;
  keyId: string | null;
  /** Of one that is left out: when that was noticed. */
  signedAt: Date | null;
  leftOut: LeftOut | null;
  /** Why the newest try failed. */
  error: { code: string; message: string } | null;
}

/** Of all images; one may count as due and as another thing as well. */
export interface StatementCounts {
  signed: number;
  leftOut: number;
  /** The newest try failed. */
  failed: number;
  /** They are to be written or withdrawn. */
  due: number;
}

/** A key that signs what this installation states about images. */
export interface NewSigningKey {
  /** `sha256:…` of the public key. */
  id: string;
  /** PEM. */
  publicKey: string;
}

export interface PublishedSigningKey extends NewSigningKey {
  signsFrom: Date;
  /** Null until another one follows it. */
  publishedUntil: Date | null;
  /** It signs now. */
  isCurrent: boolean;
}

export interface CurrentSigningKey extends NewSigningKey {
  /** PEM; null for one of `SIGNING_KEY_FILE`, which the database does not have. */
  privateKey: string | null;
}

/** What became of the key of a file: it signs now, did so before, or may not sign any more. */
export type Adoption = 'adopted' | 'current' | 'withdrawn';

export interface SigningKeyRotation {
  /** How long the new key is published before it signs. 0: a leaked key is withdrawn at once. */
  days: number;
}
