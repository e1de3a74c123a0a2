import { expect, it } from 'vitest';
import { createListPackages, type ListPackagesPorts } from './list-packages.ts';

const opened = { ask: async () => ({ layers: [] }) };

it.each([
  ['missing', 'not_found', 'REPORT_UNKNOWN'],
  ['too_large', 'too_large', 'PACKAGES_TOO_MANY'],
])('a list of packages that is %s is refused as %s', async (absent, kind, code) => {
  const listPackages = createListPackages({
    repositories: { open: async () => opened },
    scans: { packages: async () => ({ absent }) },
  } as unknown as ListPackagesPorts);
  const scope = {} as Parameters<typeof listPackages>[0];
  const query = { repository: 'team/app', tag: '1' } as Parameters<typeof listPackages>[1];
  await expect(listPackages(scope, query)).rejects.toMatchObject({ kind, code });
});
