import { describe, expect, it } from 'vitest';
import { UID } from './admission.fixture.ts';
import {
  type AdmissionResponse,
  admissionAnswer,
  answeredReview,
  type ImageAdmission,
  pinnedAnswer,
} from './admission-answer.ts';
import { readAdmissionPath } from './admission-path.ts';

const wanted = (image: string, ...names: string[]) => ({
  image,
  places: names.map((name, at) => ({
    by: `container ${name}`,
    path: `/spec/containers/${at}/image`,
  })),
});
const passes: ImageAdmission = { outcome: 'admitted', digest: 'sha256:1', warning: null };
const grace: ImageAdmission = { ...passes, warning: 'admitted until tomorrow' };
const refused: ImageAdmission = { outcome: 'refused', code: 'VULN_BLOCKED', sentence: 'blocked' };
const pending: ImageAdmission = { outcome: 'undecided', code: 'PENDING', sentence: 'scanning' };

const answer = (mode: 'enforce' | 'warn', ...admissions: ImageAdmission[]): AdmissionResponse =>
  admissionAnswer(
    { uid: UID },
    mode,
    admissions.map((admission, at) => ({ wanted: wanted(`r/app:${at}`, 'app'), admission })),
  );

describe('enforce', () => {
  it('admits where every image passes', () => {
    expect(answer('enforce', passes, passes)).toEqual({ uid: UID, allowed: true });
    expect(answer('enforce')).toEqual({ uid: UID, allowed: true });
  });

  it('names what refuses, and nothing else', () => {
    expect(answer('enforce', passes, refused, pending)).toEqual({
      ...{ uid: UID, allowed: false },
      status: {
        ...{ code: 403, reason: 'Forbidden' },
        message: 'container app: r/app:1: blocked; container app: r/app:2: scanning',
      },
    });
  });

  it('refuses what is not decided, and says that it may be later', () => {
    const { allowed, status } = answer('enforce', passes, pending);
    expect([allowed, status?.code]).toEqual([false, 503]);
  });

  it('warns of what passes for now', () => {
    expect(answer('enforce', grace)).toEqual({
      ...{ uid: UID, allowed: true },
      warnings: ['container app: r/app:0: admitted until tomorrow'],
    });
  });
});

describe('warn', () => {
  it('admits, and says what would be refused', () => {
    expect(answer('warn', refused, grace, pending)).toEqual({
      ...{ uid: UID, allowed: true },
      warnings: [
        'would be refused: container app: r/app:0: blocked',
        'would be refused: container app: r/app:2: scanning',
        'container app: r/app:1: admitted until tomorrow',
      ],
    });
  });

  it('says names with control characters, which an API server would drop in silence', () => {
    const places = [{ by: 'container a\u001b[2J', path: '/spec/containers/0/image' }];
    const odd = { wanted: { image: 'r/app:1\u0007\n\ud800', places }, admission: refused };
    const { warnings } = admissionAnswer({ uid: UID }, 'warn', [odd]);
    expect(warnings).toEqual(['would be refused: container a [2J: r/app:1 \ufffd: blocked']);
    const { status } = admissionAnswer({ uid: UID }, 'enforce', [odd]);
    expect(status?.message).toBe('container a [2J: r/app:1 \ufffd: blocked');
  });

  it('keeps to what an API server takes', () => {
    const long: ImageAdmission = { ...refused, sentence: 'x'.repeat(1_000) };
    const { warnings = [] } = answer('warn', ...Array.from({ length: 50 }, () => long));
    expect(warnings).toHaveLength(9);
    expect(warnings.at(-1)).toBe('42 more images');
    expect(Math.max(...warnings.map(({ length }) => length))).toBe(250);
  });
});

describe('pin', () => {
  it('writes the digest beside the tag, in every place', () => {
    const pinned = [{ wanted: wanted('r/app:1', 'a', 'b'), digest: 'sha256:1' }];
    const { patch, patchType, allowed } = pinnedAnswer({ uid: UID }, pinned);
    expect([allowed, patchType]).toEqual([true, 'JSONPatch']);
    expect(JSON.parse(Buffer.from(patch ?? '', 'base64').toString())).toEqual([
      { op: 'replace', path: '/spec/containers/0/image', value: 'r/app:1@sha256:1' },
      { op: 'replace', path: '/spec/containers/1/image', value: 'r/app:1@sha256:1' },
    ]);
  });

  it('has no patch and no type of one where nothing changes (connaisseur #1705)', () => {
    expect(pinnedAnswer({ uid: UID }, [])).toEqual({ uid: UID, allowed: true });
  });
});

it('an answer is a review of the version that was asked', () => {
  expect(answeredReview({ uid: UID, allowed: true })).toEqual({
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    response: { uid: UID, allowed: true },
  });
});

it.each([
  ['/admission', { mode: 'enforce', cluster: 'default' }],
  ['/admission/warn', { mode: 'warn', cluster: 'default' }],
  ['/admission/enforce/prod-eu', { mode: 'enforce', cluster: 'prod-eu' }],
  ['/admission/pin/prod.eu', { mode: 'pin', cluster: 'prod.eu' }],
  ['/admission/off', null],
  ['/admission/', null],
  ['/admission/warn/', null],
  ['/admission/warn/Prod', null],
  ['/admission/warn/a/b', null],
  ['/admissions', null],
  ['/', null],
])('%s names %j', (path, expected) => {
  expect(readAdmissionPath(path)).toEqual(expected);
});
