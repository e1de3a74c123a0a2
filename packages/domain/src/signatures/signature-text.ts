/** What is said of signatures in English, for messages and commands. The page has its own words. */
import { SIGNATURE } from '../waivers/waiver.ts';
import type { AuthorityAnswer, ImageSignatures, JudgedRequirement } from './signature-policy.ts';
import type { UncountedReason } from './signature-reasons.ts';

const WORDS: Record<UncountedReason, string> = {
  SIGNATURE_TOO_LARGE: 'it is too large to be read',
  SIGNATURE_UNREADABLE: 'it could not be read',
  FORMAT_UNKNOWN: 'its format is not known',
  FORMAT_INVALID: 'it is damaged',
  PAYLOAD_INVALID: 'what was signed is damaged',
  PAYLOAD_TYPE_UNKNOWN: 'what was signed is of an unknown type',
  DIGEST_DIFFERS: 'it is for another image',
  KIND_DIFFERS: 'it is of another kind than the authority signs',
  KEY_DIFFERS: 'another key made it',
  SIGNATURE_INVALID: 'it does not match what was signed',
  CERTIFICATE_MISSING: 'it has no certificate',
  CERTIFICATE_INVALID: 'its certificate is damaged',
  CERTIFICATE_UNFIT: 'its certificate is not fit to sign',
  CERTIFICATE_UNTRUSTED: 'nobody whom the authority trusts issued its certificate',
  CERTIFICATE_OUT_OF_DATE: 'its certificate was not valid when it was signed',
  SCT_MISSING: 'no log has its certificate',
  LOG_ENTRY_MISSING: 'no transparency log has it',
  LOG_ENTRY_REPEATED: 'it has one entry of a log twice',
  LOG_ENTRY_UNKNOWN: 'its entry of a log is of an unknown kind',
  LOG_ENTRY_INVALID: 'its entry of a log does not verify',
  LOG_ENTRY_DIFFERS: 'its entry of a log is about something else',
  TIMESTAMP_MISSING: 'nobody vouches for its time',
  TIMESTAMP_INVALID: 'its timestamp does not verify',
  WITNESSES_TOO_MANY: 'it has too many log entries or timestamps',
  ISSUER_DIFFERS: 'another issuer vouches for who signed',
  SUBJECT_DIFFERS: 'someone else signed',
  CLAIM_DIFFERS: 'its certificate says something else',
  IDENTITY_DIFFERS: 'someone else signed',
  CRITICAL_HEADER_UNKNOWN: 'it has a critical header that is not known',
  HEADER_INVALID: 'one of its headers is not valid',
  ALGORITHM_UNKNOWN: 'its algorithm is not accepted',
  SIGNING_SCHEME_UNKNOWN: 'its signing scheme is not known',
  SIGNATURE_EXPIRED: 'it has expired',
  IS_ATTESTATION: 'it is an attestation, and no signature',
  IS_SIGNATURE: 'it is a signature, and no attestation',
  PREDICATE_DIFFERS: 'it attests something else',
};

export const NOT_VERIFIED_TEXT = 'its signatures are being verified; try again in a moment';
const MOST_AUTHORITIES_NAMED = 3;

/** `it is for another image (sha256:…)`. What strangers wrote is not cleaned here. */
function uncountedText({
  code,
  params,
}: {
  code: UncountedReason;
  params: Readonly<Record<string, string>>;
}): string {
  const facts = Object.values(params).filter(Boolean);
  return facts.length === 0 ? WORDS[code] : `${WORDS[code]} (${facts.join(', ')})`;
}

/** `a signature by release or security`. */
export function askedText({
  attestation,
  authorities,
  match,
}: Pick<JudgedRequirement, 'attestation' | 'authorities' | 'match'>): string {
  const what = attestation === null ? 'a signature' : `an attestation ${attestation}`;
  const named = authorities.slice(0, MOST_AUTHORITIES_NAMED);
  const more = authorities.length > named.length ? ['others'] : [];
  const [last, ...before] = [...named, ...more].reverse();
  const word = match === 'any_of' ? 'or' : 'and';
  const by = before.length === 0 ? last : `${before.reverse().join(', ')} ${word} ${last}`;
  return `${what} by ${by}`;
}

/** Why the image does not pass: the first requirement that its signatures do not meet. */
export function unsignedText({ requirements, ...known }: ImageSignatures): string {
  const unmet = requirements.find(({ code }) => code === SIGNATURE);
  if (!unmet) return 'its signatures are not those that are asked for';
  const missing = unmet.answers.filter(({ state }) => state === 'missing' || state === 'removed');
  const why = [...missing.map(answerText), ...limitsOf(known)].slice(0, MOST_AUTHORITIES_NAMED);
  return `it lacks ${askedText(unmet)}: ${why.join('; ')}`;
}

/** `release: another key made it, and 2 more do not count`. */
export function answerText({
  authority,
  state,
  uncounted,
  uncountedTotal,
}: Omit<AuthorityAnswer, 'signed'>): string {
  if (state === 'removed') return `${authority}: there is no such authority`;
  const [first] = uncounted;
  if (first === undefined) return `${authority}: none was found`;
  const more = uncountedTotal - 1;
  const others = more === 0 ? '' : `, and ${more} more ${more === 1 ? 'does' : 'do'} not count`;
  return `${authority}: ${uncountedText(first)}${others}`;
}

function limitsOf({
  unreadSignatures: unread,
  hasHiddenSignatures: isHidden,
}: Pick<ImageSignatures, 'unreadSignatures' | 'hasHiddenSignatures'>): string[] {
  return [
    ...(unread === 0 ? [] : [`${unread} more were not read`]),
    ...(isHidden ? ['the registry does not say whether there are more'] : []),
  ];
}
