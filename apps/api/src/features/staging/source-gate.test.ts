import { forbidden, notFound } from '@portcullis/errors';
import { describe, expect, it } from 'vitest';
import { createSourceGate } from './source-gate.ts';

const ANN = {
  id: 'u1',
  username: 'ann',
  isAdmin: false,
  canBypassVulnBlock: false,
  auth: 'session',
  grants: [],
} as const;

function asked({ registryId = '__local__' as string | null, isEnforced = true, isThere = true }) {
  const resolved: string[] = [];
  const assertSource = createSourceGate({
    copyGate: {
      isEnforced: async () => isEnforced,
      assertLeaves: () => Promise.reject(forbidden('VULN_BLOCKED', 'blocked')),
    },
    async resolve(repository, reference) {
      resolved.push(`${repository}:${reference}`);
      if (!isThere) throw notFound('MANIFEST_UNKNOWN', 'none');
      return 'sha256:a';
    },
    log: { debug() {} },
  });
  const source = { kind: 'registry' as const, registryId, host: 'here' };
  const asking = assertSource({ ...ANN, grants: [] }, { source, image: 'prod/app', tag: '1' });
  return { resolved, asking };
}

describe('a pull into staging', () => {
  it('of a blocked image of an enforcing folder is refused at the request', async () => {
    await expect(asked({}).asking).rejects.toMatchObject({ code: 'VULN_BLOCKED' });
  });

  it.each([
    ['of a folder that does not enforce asks the registry nothing', { isEnforced: false }, []],
    ['of another registry asks nothing', { registryId: 'other' }, []],
    ['of a host asks nothing', { registryId: null }, []],
    ['of an image that is not there yet is left to its job', { isThere: false }, ['prod/app:1']],
  ])('%s', async (_, change, expected) => {
    const { asking, resolved } = asked(change);
    await expect(asking).resolves.toBeNull();
    expect(resolved).toEqual(expected);
  });
});
