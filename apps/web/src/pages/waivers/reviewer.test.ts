import { describe, expect, it } from 'vitest';
import { mayDo, WAIVER_ACTS } from './reviewer.ts';

const REQUESTED = { state: 'requested', requested_by: { id: 'dev' }, approvals: [] } as const;
const ONCE = [{ id: 'rita', username: 'rita', at: '2026-11-27T00:00:00Z' }];

const account = (id: string, reviews: boolean) => ({
  id,
  is_admin: false,
  can_bypass_vuln_block: reviews,
});

describe('what an account may do with a waiver', () => {
  it.each([
    ['a reviewer with a request', account('rita', true), {}, 'approve reject'],
    ['a reviewer who approved it', account('rita', true), { approvals: ONCE }, 'reject'],
    ['a reviewer with the own request', account('dev', true), {}, 'revoke'],
    ['a reviewer with an approved one', account('rita', true), { state: 'approved' }, 'revoke'],
    ['the requester', account('dev', false), {}, 'revoke'],
    ['the requester of an approved one', account('dev', false), { state: 'approved' }, 'revoke'],
    ['another account', account('eve', false), {}, ''],
    ['a reviewer with one that has ended', account('rita', true), { state: 'expired' }, ''],
    ['the requester of a rejected one', account('dev', false), { state: 'rejected' }, ''],
  ] as const)('is decided for %s', (_, by, change, acts) => {
    const waiver = { ...REQUESTED, ...change, approvals: [...('approvals' in change ? ONCE : [])] };
    expect(WAIVER_ACTS.filter((act) => mayDo(act, waiver, by)).join(' ')).toBe(acts);
  });
});
