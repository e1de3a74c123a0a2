import type { AffectedImage, VulnerabilityDetail } from '@portcullis/contract';
import { describe, expect, it } from 'vitest';
import { ProblemError } from '../../../api/problem-error.ts';
import { firstRequest } from '../../job/review/request-form.ts';
import {
  type AskedImage,
  askedBody,
  askedImages,
  askedResults,
  blockedFolders,
} from './asked-images.ts';

const CVE = 'CVE-2026-1';
const JOB = 'b6b1f3a2-6f1c-4d8e-9d60-0f2a5f6e7a11';
const AFFECTED: AffectedImage = {
  ...{ repository: 'team/app', folder: 'team', digest: 'sha256:a', tags: ['1', '2'], tag_count: 2 },
  ...{ scanned_at: '2026-05-01T00:00:00Z', verdict: 'blocked', state: 'refused', blocks: true },
  ...{ grace_until: null, packages: [], waivers: [], let_in: null, last_pull: null, running: null },
};
const NO_COUNTS = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, UNKNOWN: 0 };
const STAGED: VulnerabilityDetail['staged'][number] = {
  ...{ job_id: JOB, image: 'library/nginx', tag: '1.27', digest: 'sha256:b', owner: 'dev' },
  created_at: '2026-05-01T00:00:00Z',
  standing: {
    ...{
      state: 'blocked',
      code: 'VULN_BLOCKED',
      blocking: [],
      blocking_total: 1,
      fixable_total: 0,
    },
    ...{ blocking_counts: NO_COUNTS, found: null, waived_total: 0, until: null, by: [] },
    ...{ waits_for: null, caveat: null, policy: { id: null, name: 'default' }, destination: null },
  },
};

const asked = (affected: Partial<AffectedImage>, askable = ['team']) =>
  askedImages([{ affected: [{ ...AFFECTED, ...affected }], staged: [] }], askable);

function only(images: AskedImage[]): AskedImage {
  const [image] = images;
  if (!image || images.length > 1) throw new Error(`${images.length} images`);
  return image;
}

describe('an image is asked about', () => {
  it.each<[string, Partial<AffectedImage>, string[], number]>([
    ['where it blocks it', {}, ['team'], 1],
    ['also while it is served', { state: 'grace' }, ['team'], 1],
    ['not where others block it', { blocks: false }, ['team'], 0],
    ['not where a waiver covers it', { state: 'waived' }, ['team'], 0],
    ['not without the right to ask there', {}, ['shop'], 0],
  ])('%s', (_, affected, askable, count) => {
    expect(asked(affected, askable)).toHaveLength(count);
  });

  it('in staging, before those of the registry', () => {
    const images = askedImages([{ affected: [AFFECTED], staged: [STAGED] }], ['team']);
    expect(images.map(({ name, destination }) => [name, destination?.folder])).toEqual([
      ['library/nginx:1.27', undefined],
      ['team/app:1', 'team'],
    ]);
  });
});

it('a waiver is proposed for the folder of the most images, and for all only at last', () => {
  const places = ['__root__', '__root__', 'team', 'shop', 'shop'];
  const affected = places.map((folder) => ({ ...AFFECTED, folder }));
  expect(blockedFolders([{ affected, staged: [] }])).toEqual(['shop', 'team', '']);
});

describe('a request', () => {
  const form = {
    ...firstRequest({ image: 'x', tag: '1' }, 0),
    ...{ reason: 'why', folder: 'shop', withOthers: false },
  };

  it('of an image with a tag names no job, and is not pushed again', () => {
    expect(askedBody(only(asked({})), form, CVE)).toMatchObject({
      ...{ target_image: 'app', target_tag: '1', folder: 'team', push_when_approved: false },
      vulnerabilities: [CVE],
    });
    expect(askedBody(only(asked({})), form, CVE)).not.toHaveProperty('job_id');
  });

  it('of an image without a destination is for the chosen folder', () => {
    const image = only(askedImages([{ affected: [], staged: [STAGED] }], []));
    const body = askedBody(image, { ...form, withOthers: true }, CVE);
    expect(body).toMatchObject({ job_id: JOB, target_image: 'nginx', folder: 'shop' });
    expect(body.vulnerabilities).toBeUndefined();
  });
});

it('an open request is no failure', () => {
  const image = only(asked({}));
  const reason = (code: string) => ({
    status: 'rejected' as const,
    reason: new ProblemError({ status: 409, code }),
  });
  const results = [reason('REVIEW_OPEN'), reason('REVIEW_NOT_NEEDED')];
  const [left, unlisted] = [[image], 30];
  expect(askedResults({ images: [image, image], left, unlisted }, results)).toMatchObject({
    left,
    unlisted,
    ...{ asked: 0, open: [{ name: 'team/app:1' }], failed: [{ image: { name: 'team/app:1' } }] },
  });
});
