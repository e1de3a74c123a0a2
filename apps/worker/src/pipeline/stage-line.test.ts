import type { StagingJob } from '@portcullis/domain';
import { expect, it } from 'vitest';
import { stageLine } from './stage-line.ts';

const at = (second: number) => new Date(second * 1000);

const JOB = {
  id: 'j1',
  transferId: null,
  requestId: null,
  image: 'library/nginx',
  tag: '1.29',
  source: { kind: 'dockerhub', registryId: null, host: 'registry-1.docker.io' },
  progress: { bytesDone: 12, bytesReused: 4 },
  timeline: [
    { at: at(0), status: 'pull_queued', kind: 'status_changed' },
    { at: at(2), status: 'pulling', kind: 'status_changed' },
    { at: at(5), status: 'scan_queued', kind: 'status_changed' },
    { at: at(9), status: 'scanning', kind: 'status_changed' },
    { at: at(10), status: 'failed', kind: 'failed', code: 'SCAN_FAILED', message: 'no' },
  ],
} as unknown as StagingJob;

it('a pull is logged with what it moved, and how long it waited and worked', () => {
  const outcome = {
    kind: 'pulled',
    digest: 'sha256:0',
    sightedAt: new Date(0),
    mediaType: '',
    size: 1,
  } as const;
  expect(stageLine('pull', JOB, outcome)).toEqual({
    job: 'j1',
    stage: 'pull',
    image: 'registry-1.docker.io/library/nginx:1.29',
    outcome: 'pulled',
    waited_ms: 2_000,
    worked_ms: 3_000,
    bytes: 12,
    bytes_reused: 4,
  });
});

it('a fault is logged with its code, and a job of a transfer with the transfer', () => {
  const error = { code: 'SCAN_FAILED', message: 'no', side: null, retryable: false };
  expect(stageLine('scan', { ...JOB, transferId: 't1' }, { kind: 'failed', error })).toEqual({
    job: 'j1',
    transfer: 't1',
    stage: 'scan',
    image: 'registry-1.docker.io/library/nginx:1.29',
    outcome: 'failed',
    waited_ms: 4_000,
    worked_ms: 1_000,
    code: 'SCAN_FAILED',
  });
});
