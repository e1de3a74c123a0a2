import { expect, it } from 'vitest';
import { alikeFolders } from './alike-folders.ts';
import type { GateRules } from './rules.ts';

const POLICIES = new Map([['lax', 'p1']]);
const SIGNED = { images: 'c/*', match: 'any_of', authorities: ['release'], attestation: null };

function groups(waivers: object[], signatures: object[] = []): string[][] {
  const rules = {
    waivers: waivers.map((scope, at) => ({
      ...{ id: `w${at}`, folder: null, repository: null, ...scope },
    })) as unknown as GateRules['waivers'],
    policyOf: (scope) =>
      ({
        ...{ id: ('folder' in scope && POLICIES.get(scope.folder)) || null, signatures },
      }) as unknown as ReturnType<GateRules['policyOf']>,
    repositoryIn: (folder: string) => `${folder}/app`,
  } satisfies Parameters<typeof alikeFolders>[1];
  return alikeFolders(['a', 'b', 'lax', 'c'], rules);
}

it.each<[string, object[], string[][]]>([
  ['by their policy', [], [['a', 'b', 'c'], ['lax']]],
  ['by waivers of one folder', [{ folder: 'b' }], [['a', 'c'], ['b'], ['lax']]],
  ['by waivers of one repository', [{ repository: 'c/*' }], [['a', 'b'], ['lax'], ['c']]],
  ['not by waivers of all folders', [{}], [['a', 'b', 'c'], ['lax']]],
  ['not by waivers of other repositories', [{ repository: '*/x' }], [['a', 'b', 'c'], ['lax']]],
])('folders are judged together %s', (_, waivers, expected) => {
  expect(groups(waivers)).toEqual(expected);
});

it('folders are judged together by which of them need signatures', () => {
  expect(groups([], [SIGNED])).toEqual([['a', 'b'], ['lax'], ['c']]);
});
