import type { Job, PushView } from '@portcullis/contract';
import { expect, it } from 'vitest';
import { isBypassed, passedPush } from './passed-push.ts';

const PUSH: PushView = {
  ...{ id: 'plain', status: 'done', destination: 'registry/app:1', registry_id: null },
  ...{ target_image: 'app', target_tag: '1', digest: null, error: null },
  ...{ bytes_done: 1, bytes_total: 1, bytes_mounted: 0, bypassed: null, bypass_reason: null },
  ...{ waivers: [], requested_by: 'ada', created_at: '', finished_at: null },
};
const BYPASS: PushView = { ...PUSH, id: 'bypass', bypassed: 'VULN_BLOCKED' };
const WAIVER = { id: '', vulnerability: 'CVE-2026-1', approved_by: ['ada'], until: '' };
const WAIVED: PushView = { ...PUSH, id: 'waived', waivers: [WAIVER] };

it.for<[string, Job['status'], PushView[], string | undefined, boolean]>([
  [
    'also where a later push failed',
    'pushed',
    [BYPASS, { ...PUSH, status: 'failed' }],
    'bypass',
    true,
  ],
  ['also where a later push needed nothing', 'pushed', [BYPASS, PUSH], 'bypass', true],
  ['the last of several', 'pushed', [BYPASS, WAIVED], 'waived', false],
  [
    'not where that push failed',
    'pushed',
    [{ ...BYPASS, status: 'failed' }, PUSH],
    undefined,
    false,
  ],
  ['not where the job failed', 'failed', [BYPASS], undefined, false],
  ['not without one', 'pushed', [PUSH], undefined, false],
])('the push that passed the gate, %s', ([, status, pushes, id, bypassed]) => {
  expect(passedPush({ status, pushes })?.id).toBe(id);
  expect(isBypassed({ status, pushes })).toBe(bypassed);
});
