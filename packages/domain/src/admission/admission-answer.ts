/** The answer of the webhook, from what was decided about each image. */
import { onOneLine } from '../on-one-line.ts';
import type { AdmissionMode } from './admission-path.ts';
import { ADMISSION_API, type AdmissionRequest } from './admission-review.ts';
import type { WantedImage } from './pod-images.ts';

export type ImageAdmission =
  | { outcome: 'admitted'; digest: string | null; warning: string | null }
  | { outcome: 'refused'; code: string; sentence: string }
  /** It could not be decided, which is no reason to admit it. */
  | { outcome: 'undecided'; code: string; sentence: string };

export interface DecidedImage {
  wanted: WantedImage;
  admission: ImageAdmission;
}

export interface AdmissionResponse {
  uid: string;
  allowed: boolean;
  status?: { code: number; reason: string; message: string };
  warnings?: string[];
  patchType?: 'JSONPatch';
  /** Base64. */
  patch?: string;
}

/** The API server cuts warnings at 256 characters, and logs that it did. */
const MOST_WARNING = 250;
const MOST_WARNINGS = 8;
const MOST_MESSAGE = 4_000;

export function admissionAnswer(
  { uid }: Pick<AdmissionRequest, 'uid'>,
  mode: Exclude<AdmissionMode, 'pin'>,
  decided: readonly DecidedImage[],
): AdmissionResponse {
  const refusals = decided.filter(({ admission }) => admission.outcome !== 'admitted');
  const lines = refusals.map(refusalText);
  const warnings = decided.flatMap(warningOf);
  if (lines.length === 0) return { uid, allowed: true, ...warningsOf(warnings) };
  if (mode === 'warn') {
    const would = lines.map((line) => `would be refused: ${line}`);
    return { uid, allowed: true, ...warningsOf([...would, ...warnings]) };
  }
  const isUndecided = refusals.every(({ admission }) => admission.outcome === 'undecided');
  return { ...refusal(uid, lines.join('; '), isUndecided ? 503 : 403), ...warningsOf(warnings) };
}

/** Of what is no question about images, or can't be read. */
export function refusal(uid: string, message: string, code: keyof typeof REASONS) {
  const status = { code, reason: REASONS[code], message: message.slice(0, MOST_MESSAGE) };
  return { uid, allowed: false, status };
}

const REASONS = { 400: 'BadRequest', 403: 'Forbidden', 503: 'ServiceUnavailable' } as const;

/** A review with the answer alone, as API servers expect it. */
export function answeredReview(response: AdmissionResponse) {
  return { apiVersion: ADMISSION_API, kind: 'AdmissionReview', response };
}

/** Writes the digests of tags beside them; what has no digest stays as it is. */
export function pinnedAnswer(
  { uid }: Pick<AdmissionRequest, 'uid'>,
  pinned: readonly { wanted: WantedImage; digest: string }[],
): AdmissionResponse {
  const patch = pinned.flatMap(({ wanted: { image, places }, digest }) =>
    places.map(({ path }) => ({ op: 'replace', path, value: `${image}@${digest}` })),
  );
  // A `patchType` without a patch is an invalid answer.
  if (patch.length === 0) return { uid, allowed: true };
  const text = Buffer.from(JSON.stringify(patch)).toString('base64');
  return { uid, allowed: true, patchType: 'JSONPatch', patch: text };
}

function refusalText({ wanted, admission }: DecidedImage): string {
  return textOf(wanted, 'sentence' in admission ? admission.sentence : '');
}

function warningOf({ wanted, admission }: DecidedImage): string[] {
  return admission.outcome === 'admitted' && admission.warning !== null
    ? [textOf(wanted, admission.warning)]
    : [];
}

function textOf({ image, places }: WantedImage, sentence: string): string {
  const [first] = places;
  const more = places.length > 1 ? ` and ${places.length - 1} more` : '';
  return onOneLine(`${first?.by ?? ''}${more}: ${image}: ${sentence}`);
}

function warningsOf(warnings: readonly string[]): Pick<AdmissionResponse, 'warnings'> {
  if (warnings.length === 0) return {};
  const shown = warnings.slice(0, MOST_WARNINGS).map((text) => shortened(text));
  const left = warnings.length - shown.length;
  return { warnings: left > 0 ? [...shown, `${left} more images`] : shown };
}

function shortened(text: string): string {
  return text.length <= MOST_WARNING ? text : `${text.slice(0, MOST_WARNING - 1)}…`;
}
