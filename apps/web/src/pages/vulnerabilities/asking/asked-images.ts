/** The images of the caller that a vulnerability blocks, and the requests about them. */
import type { AffectedImage, Review, VulnerabilityDetail } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID, ROOT_FOLDER } from '@portcullis/domain';
import type { RequestFor } from '../../../api/client.ts';
import { isProblem } from '../../../api/problem-error.ts';
import { judgedPlace, type PushForm, proposal } from '../../job/push/push-form.ts';
import { type RequestForm, requestBody } from '../../job/review/request-form.ts';
import { tagSuffix } from '../../staging/tag-suffix.ts';

export interface AskedImage {
  key: string;
  name: string;
  /** Null: it is in the built-in registry already. */
  jobId: string | null;
  /** Null where none was chosen. */
  destination: NonNullable<Staged['standing']>['destination'];
  form: PushForm;
}

export interface AskForm extends RequestForm {
  /** Also about the other vulnerabilities that block the images. */
  withOthers: boolean;
}

type Exposed = Pick<VulnerabilityDetail, 'affected' | 'staged'>;
type Staged = VulnerabilityDetail['staged'][number];

/** The states of images that do not pass. */
const BLOCKED: ReadonlySet<AffectedImage['state']> = new Set(['off', 'report', 'grace', 'refused']);

/** The folders in which it blocks images, or would: the most images first, the root folder last. */
export function blockedFolders(pages: readonly Exposed[]): string[] {
  const tagged = pages.flatMap(({ affected }) => affected).filter(isBlocked);
  const staged = (pages[0]?.staged ?? []).flatMap(({ standing }) =>
    standing?.state === 'blocked' ? [standing.destination?.folder ?? ''] : [],
  );
  const names = [...tagged.map(({ folder }) => folder), ...staged];
  const counts = [...Map.groupBy(names, (name) => (name === ROOT_FOLDER ? '' : name))];
  const rank = ([name, images]: [string, string[]]) => (name === '' ? 0 : images.length);
  return counts.toSorted((one, other) => rank(other) - rank(one)).map(([name]) => name);
}

/** @param askable the folders about whose images the caller may ask */
export function askedImages(pages: readonly Exposed[], askable: readonly string[]): AskedImage[] {
  const tagged = pages
    .flatMap(({ affected }) => affected)
    .filter((image) => isBlocked(image) && askable.includes(image.folder))
    .flatMap(({ tags: [tag], ...image }) => (tag === undefined ? [] : [taggedImage(image, tag)]));
  const [first] = pages;
  const staged = (first?.staged ?? []).filter(({ standing }) => standing?.state === 'blocked');
  return [...staged.map(stagedImage), ...tagged];
}

function isBlocked({ blocks, state }: Pick<AffectedImage, 'blocks' | 'state'>): boolean {
  return blocks && BLOCKED.has(state);
}

function taggedImage(
  { repository, digest, folder }: Pick<AffectedImage, 'repository' | 'digest' | 'folder'>,
  tag: string,
): AskedImage {
  const place = { kind: 'local' as const, registry_id: LOCAL_REGISTRY_ID, host: '' };
  const destination = { ...place, folder, repository, tag };
  return {
    key: `${repository} ${digest}`,
    name: `${repository}:${tag}`,
    jobId: null,
    destination,
    form: proposal({ image: repository, tag, destination }),
  };
}

function stagedImage({ job_id: jobId, image, tag, standing }: Staged): AskedImage {
  const destination = judgedPlace(standing);
  return {
    key: jobId,
    name: `${image}${tagSuffix(tag)}`,
    jobId,
    destination,
    form: proposal({ image, tag, destination }),
  };
}

export function needsPlace({ form }: AskedImage): boolean {
  return form.target === 'local' && form.folder === null;
}

export function askedBody(
  image: AskedImage,
  asked: AskForm,
  vulnerability: string,
): RequestFor<'reviews.request'>['body'] {
  const place = needsPlace(image) ? { ...image.form, folder: asked.folder } : image.form;
  const { job_id, ...body } = requestBody(image.jobId ?? '', { ...asked, ...place });
  return {
    ...body,
    ...(image.jobId === null ? { push_when_approved: false } : { job_id }),
    ...(!asked.withOthers && { vulnerabilities: [vulnerability] }),
  };
}

export interface AskedResults {
  asked: number;
  /** An open request asks for it already. */
  open: AskedImage[];
  failed: { image: AskedImage; error: unknown }[];
  /** Those that no request was made for. */
  left: readonly AskedImage[];
  /** Images in staging that the reply does not list. */
  unlisted: number;
}

/** A reply lists the newest hundred of the images in staging. */
export function unlistedImages([first]: readonly Pick<
  VulnerabilityDetail,
  'exposure' | 'staged'
>[]) {
  return first ? first.exposure.staged - first.staged.length : 0;
}

type Asked = Pick<AskedResults, 'left' | 'unlisted'> & { images: readonly AskedImage[] };

export function askedResults(
  { images, left, unlisted }: Asked,
  results: readonly PromiseSettledResult<Review>[],
): AskedResults {
  const refused = images.flatMap((image, at) => {
    const result = results[at];
    return result?.status === 'rejected' ? [{ image, error: result.reason as unknown }] : [];
  });
  const isOpen = ({ error }: { error: unknown }) => isProblem(error, 'REVIEW_OPEN');
  return {
    asked: images.length - refused.length,
    open: refused.filter(isOpen).map(({ image }) => image),
    failed: refused.filter((each) => !isOpen(each)),
    left,
    unlisted,
  };
}
