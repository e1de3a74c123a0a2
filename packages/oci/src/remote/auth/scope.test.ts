import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeScopes, repositoryScope } from './scope.ts';

const scope = fc
  .tuple(
    fc.constantFrom('a', 'b/c', 'd'),
    fc.subarray(['pull', 'push', 'delete'], { minLength: 1 }),
  )
  .map(([name, actions]) => `repository:${name}:${actions.join(',')}`);

describe('scopes', () => {
  it('do not depend on the order of requests', () => {
    fc.assert(
      fc.property(fc.array(scope), fc.array(scope), (one, other) => {
        expect(mergeScopes(one, other)).toEqual(mergeScopes(other, one));
        expect(mergeScopes(mergeScopes(one, other))).toEqual(mergeScopes(one, other));
      }),
    );
  });

  it('of one repository become one', () => {
    expect(
      mergeScopes(
        [repositoryScope('a', 'push')],
        [repositoryScope('a', 'pull'), '', 'registry:catalog:*'],
      ),
    ).toEqual(['registry:catalog:*', 'repository:a:pull,push']);
  });
});
