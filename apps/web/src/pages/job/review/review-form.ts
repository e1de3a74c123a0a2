/** The form of a request for waivers of several findings of a job. */
import type { Job, VulnerabilityView, Waiver } from '@portcullis/contract';
import { ROOT_FOLDER } from '@portcullis/domain';
import type { RequestFor } from '../../../api/client.ts';
import { onlyPackage } from './blocking.ts';

export const REVIEW_SCOPES = ['digest', 'repository', 'folder'] as const;
export type ReviewScope = (typeof REVIEW_SCOPES)[number];

export interface ReviewForm {
  chosen: ReadonlySet<string>;
  /** Empty: all folders. Null: none was chosen. */
  folder: string | null;
  scope: ReviewScope;
  repository: string;
  status: Waiver['status'];
  justification: NonNullable<Waiver['justification']>;
  reason: string;
  ticket: string;
  /** As in `<input type="date">`: the last day. */
  until: string;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
/** The end is at midnight after the last day, and at most 365 days from now. */
const MOST_DAYS = 364;

export function emptyReview(chosen: readonly string[], now: number): ReviewForm {
  return {
    ...{ chosen: new Set(chosen), folder: null, scope: 'digest', repository: '' },
    ...{ status: 'accepted', justification: 'vulnerable_code_not_in_execute_path' },
    ...{ reason: '', ticket: '', until: firstEnd(now) },
  };
}

/** The day that is proposed. */
export function firstEnd(now: number): string {
  return dayOf(now + DEFAULT_DAYS * DAY_MS);
}

/** Of the local day. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

export function lastDay(now: number): string {
  return dayOf(now + MOST_DAYS * DAY_MS);
}

/** The local day. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

export function isReviewComplete(form: ReviewForm, folder: string | null): boolean {
  return (
    form.chosen.size > 0 &&
    folder !== null &&
    form.reason.trim() !== '' &&
    form.until !== '' &&
    (form.scope !== 'repository' || form.repository.trim() !== '')
  );
}

type WaiverBody = RequestFor<'waivers.request'>['body'];

/** The folder of the destination; all folders for a registry, which no waiver names. */
export function proposedFolder({ standing, destination }: Pick<Job, 'standing' | 'destination'>) {
  const place = standing?.destination ?? destination;
  if (!place) return null;
  return place.folder === null || place.folder === ROOT_FOLDER ? '' : place.folder;
}

/** Of any vulnerability. */
export function waiverBody(
  form: ReviewForm,
  { digest, folder }: { digest: string | null; folder: string },
): Omit<WaiverBody, 'vulnerability' | 'package'> {
  const ticket = form.ticket.trim();
  return {
    folder: folder === '' ? null : folder,
    digest: form.scope === 'digest' ? digest : null,
    repository: form.scope === 'repository' ? form.repository.trim() : null,
    status: form.status,
    justification: form.status === 'not_affected' ? form.justification : null,
    reason: form.reason.trim(),
    ticket: ticket === '' ? null : ticket,
    expires_at: endOfDay(form.until),
  };
}

/** One request for each finding, by its vulnerability. */
export function waiverBodies(
  form: ReviewForm,
  { digest }: Pick<Job, 'digest'>,
  { blocking, folder }: { blocking: readonly VulnerabilityView[]; folder: string },
): WaiverBody[] {
  const shared = waiverBody(form, { digest, folder });
  return blocking
    .filter(({ id }) => form.chosen.has(id))
    .map((found) => ({ ...shared, vulnerability: found.id, package: onlyPackage(found) }));
}
