/**
 * Which signatures a policy asks for, and what answers it. Absence is never a statement: what was
 * not asked of an authority as it is now is not verified yet.
 */
import { matchesPath } from '../location/path-pattern.ts';
import { soonestOf } from '../waivers/soonest.ts';
import { type JudgedImage, missOf, SIGNATURE, type Waiver } from '../waivers/waiver.ts';
import type {
  Authorities,
  SignatureFact,
  SignatureFacts,
  VerifiedSignature,
} from './signature-facts.ts';
import type { UncountedReason } from './signature-reasons.ts';

/** Upper bounds of what an administrator may save. */
export const MOST_REQUIREMENTS = 20;
export const MOST_AUTHORITIES = 20;
export const MOST_PREDICATE_CHARACTERS = 200;

/** Whether one of the authorities is enough, or each of them has to sign. */
export const REQUIREMENT_MATCHES = ['any_of', 'all_of'] as const;
export type RequirementMatch = (typeof REQUIREMENT_MATCHES)[number];

export interface SignatureRequirement {
  /** A pattern of repositories: `*` within a segment, `**` across segments. */
  images: string;
  match: RequirementMatch;
  /** Names of authorities. */
  authorities: string[];
  /** The type of the predicate of the attestation that is asked for; null: a signature. */
  attestation: string | null;
}

export interface SignatureQuestion {
  policy: { signatures: readonly SignatureRequirement[] };
  /** Null where signatures were not asked for yet. */
  signatures: SignatureFacts | null;
  authorities: Authorities;
  /** May contain waivers of vulnerabilities and of other scopes. */
  waivers: readonly Waiver[];
  image: JudgedImage;
  now: Date;
}

/** What an authority says: `not_verified` is no answer yet, `removed` never becomes one. */
export const ANSWER_STATES = ['signed', 'missing', 'not_verified', 'removed'] as const;
type AnswerState = (typeof ANSWER_STATES)[number];

export interface AuthorityAnswer {
  authority: string;
  state: AnswerState;
  /** The signatures that count, those first that count longest. */
  signed: (VerifiedSignature & { signature: string })[];
  /** The first signatures that do not count. */
  uncounted: {
    signature: string;
    code: UncountedReason;
    params: Readonly<Record<string, string>>;
  }[];
  uncountedTotal: number;
}

export const SIGNATURE_CODES = [SIGNATURE, 'SIGNATURES_NOT_VERIFIED'] as const;
export type SignatureCode = (typeof SIGNATURE_CODES)[number];

export interface JudgedRequirement extends SignatureRequirement {
  /** Its position in the policy. */
  requirement: number;
  /** Null where it is met. */
  code: SignatureCode | null;
  answers: AuthorityAnswer[];
}

export interface ImageSignatures {
  /** What the policy asks of this image. */
  requirements: JudgedRequirement[];
  /** Signatures that were not read, because there are too many; those may count. */
  unreadSignatures: number;
  /** Whether a registry refused to say if there are more. */
  hasHiddenSignatures: boolean;
  /** Why its signatures keep the image from passing; null: they do not. */
  unsigned: SignatureCode | null;
  /** The waiver without which they would. */
  signatureWaiver: { waiverId: string; until: Date } | null;
  /** When the same facts may say something else; null: never. */
  signaturesUntil: Date | null;
}

/** How many signatures of an authority a standing names. */
const MOST_NAMED = 5;
const ANY_PACKAGE = { package: '', installedVersion: '' };

export function signaturesOf(question: SignatureQuestion): ImageSignatures {
  const { policy, signatures, image } = question;
  const requirements = policy.signatures.flatMap((each, requirement) =>
    matchesPath(each.images, image.repository) ? [judge(each, requirement, question)] : [],
  );
  const unsigned = codeOf(requirements.map(({ code }) => code));
  const signatureWaiver = unsigned && coveringOf(question);
  return {
    requirements,
    unreadSignatures: requirements.length === 0 ? 0 : (signatures?.unread ?? 0),
    hasHiddenSignatures: requirements.length > 0 && signatures?.isComplete === false,
    unsigned: signatureWaiver ? null : unsigned,
    signatureWaiver,
    signaturesUntil: soonestOf([
      signatureWaiver?.until,
      ...requirements.flatMap(({ answers }) =>
        answers.map(({ signed: [longest] }) => longest?.until),
      ),
    ]),
  };
}

/** The names of all authorities that a policy names, each once. */
export function authoritiesIn({ signatures }: SignatureQuestion['policy']): string[] {
  return [...new Set(signatures.flatMap(({ authorities }) => authorities))];
}

function judge(
  asked: SignatureRequirement,
  requirement: number,
  question: SignatureQuestion,
): JudgedRequirement {
  const answers = asked.authorities.map((authority) => answerOf(authority, asked, question));
  return { ...asked, requirement, code: unmetCode(asked.match, answers), answers };
}

/** What is certain comes first: one authority that did not sign is enough to break `all_of`. */
function unmetCode(match: RequirementMatch, answers: AuthorityAnswer[]): SignatureCode | null {
  const has = (wanted: AnswerState) => answers.some(({ state }) => state === wanted);
  const isMissing = has('missing') || has('removed') || answers.length === 0;
  if (match === 'any_of') {
    if (has('signed')) return null;
    return has('not_verified') ? 'SIGNATURES_NOT_VERIFIED' : SIGNATURE;
  }
  if (isMissing) return SIGNATURE;
  return has('not_verified') ? 'SIGNATURES_NOT_VERIFIED' : null;
}

function codeOf(codes: readonly (SignatureCode | null)[]): SignatureCode | null {
  return SIGNATURE_CODES.find((code) => codes.includes(code)) ?? null;
}

function answerOf(
  authority: string,
  asked: SignatureRequirement,
  { signatures, authorities, now }: SignatureQuestion,
): AuthorityAnswer {
  const nothing = { authority, signed: [], uncounted: [], uncountedTotal: 0 };
  const version = authorities.get(authority)?.version;
  if (version === undefined) return { ...nothing, state: 'removed' };
  if (signatures === null) return { ...nothing, state: 'not_verified' };
  const facts = signatures.facts.filter(
    (fact) => fact.authority === authority && fact.authorityVersion === version,
  );
  const verified = facts.flatMap((fact) => countedOf(fact, asked)).sort(byEnd);
  const signed = verified.filter(({ until }) => until === null || until > now);
  // What counts is certain; that there is nothing else is not, before every place was asked.
  if (signed.length === 0 && askedVersion(signatures, authority) !== version)
    return { ...nothing, state: 'not_verified' };
  const uncounted = facts.flatMap((fact) => uncountedOf(fact, asked));
  return {
    authority,
    state: stateOf(signed.length, verified.length),
    signed: signed.slice(0, MOST_NAMED),
    uncounted: uncounted.slice(0, MOST_NAMED),
    uncountedTotal: uncounted.length,
  };
}

/** No name of an object's own properties, such as `constructor`, is a version. */
function askedVersion({ askedOf }: SignatureFacts, authority: string): number | undefined {
  return Object.hasOwn(askedOf, authority) ? askedOf[authority] : undefined;
}

function countedOf(
  { verified, predicateType, signature }: SignatureFact,
  { attestation }: SignatureRequirement,
): AuthorityAnswer['signed'] {
  return verified !== null && predicateType === attestation ? [{ ...verified, signature }] : [];
}

/** What counted until a moment may have another reason to count, such as a timestamp. */
function stateOf(counting: number, verified: number): AnswerState {
  if (counting > 0) return 'signed';
  return verified > 0 ? 'not_verified' : 'missing';
}

function byEnd(one: VerifiedSignature, other: VerifiedSignature): number {
  const end = ({ until }: VerifiedSignature) => until?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return end(other) - end(one);
}

function uncountedOf(
  { verified, reason, predicateType, signature }: SignatureFact,
  { attestation }: SignatureRequirement,
): AuthorityAnswer['uncounted'] {
  if (reason !== null) return [{ signature, ...reason }];
  if (verified === null || predicateType === attestation) return [];
  if (predicateType === null) return [{ signature, code: 'IS_SIGNATURE', params: {} }];
  const code = attestation === null ? 'IS_ATTESTATION' : 'PREDICATE_DIFFERS';
  return [{ signature, code, params: { type: predicateType } }];
}

/** The waiver that ends last. */
function coveringOf({
  waivers,
  image,
  now,
}: SignatureQuestion): ImageSignatures['signatureWaiver'] {
  const [covering] = waivers
    .filter(
      (each) => each.vulnerability === SIGNATURE && missOf(each, ANY_PACKAGE, image, now) === null,
    )
    .sort((one, other) => other.expiresAt.getTime() - one.expiresAt.getTime());
  return covering ? { waiverId: covering.id, until: covering.expiresAt } : null;
}
