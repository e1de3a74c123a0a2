/** Properties of access for every repository, every set of folders and every grant. */
import { isRepository } from '@portcullis/oci';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localRepository } from '../location/location.ts';
import {
  ACCESS_ACTIONS,
  type AccessQuestion,
  decide,
  explain,
  folderOf,
  foldersWith,
  normalizeFolderName,
  ROOT_FOLDER,
} from './access.ts';
import type { FolderGrant } from './principal.ts';

/** Few letters, so that repositories, folders and grants coincide. */
const segment = fc.stringMatching(/^[ab](?:[._-]?[ab]){0,2}$/);
const repository = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/'));
const folders = fc
  .array(segment, { maxLength: 4 })
  .map((names) => new Set([ROOT_FOLDER, ...names]));
const NO_MIRROR = { mirrors: new Map<string, never>() };
const mirrors = fc.constant(NO_MIRROR.mirrors);
const flag = fc.boolean();
const grant: fc.Arbitrary<FolderGrant> = fc.record({
  folder: fc.oneof(segment, fc.constant(ROOT_FOLDER)),
  canPull: flag,
  canPush: flag,
  canPullExternal: flag,
  canPushExternal: flag,
});
const grants = fc.array(grant, { maxLength: 5 });
const question: fc.Arbitrary<AccessQuestion> = fc
  .record({ action: fc.constantFrom(...ACCESS_ACTIONS), repository, folders, mirrors })
  .map(({ action, ...place }) =>
    action === 'pull' || action === 'push' ? { action, ...place } : { action },
  );

function allowed(held: FolderGrant[], requested: AccessQuestion, isAdmin = false): boolean {
  return decide({ isAdmin, grants: held }, requested).allowed;
}

describe('decide', () => {
  it('an admin is always allowed', () => {
    fc.assert(fc.property(grants, question, (held, requested) => allowed(held, requested, true)));
  });

  it('an account without a grant is never allowed', () => {
    fc.assert(fc.property(question, (requested) => !allowed([], requested)));
  });

  it('an additional grant never removes a right', () => {
    fc.assert(
      fc.property(grants, grant, question, (held, more, requested) =>
        allowed(held, requested) ? allowed([...held, more], requested) : true,
      ),
    );
  });

  it('depends only on the folder that a repository resolves to', () => {
    fc.assert(
      fc.property(grants, folders, repository, repository, (held, all, one, other) => {
        fc.pre(folderOf(one, all) === folderOf(other, all));
        for (const action of ['pull', 'push'] as const) {
          const ask = (name: string) =>
            allowed(held, { action, repository: name, folders: all, ...NO_MIRROR });
          expect(ask(one)).toBe(ask(other));
        }
      }),
    );
  });

  it('depends neither on grants of other folders nor on other flags', () => {
    fc.assert(
      fc.property(grants, folders, repository, (held, all, name) => {
        const folder = folderOf(name, all);
        const ask = (action: 'pull' | 'push') =>
          allowed(held, { action, repository: name, folders: all, ...NO_MIRROR });
        const here = held.filter((one) => one.folder === folder);
        expect(ask('pull')).toBe(here.some(({ canPull }) => canPull));
        expect(ask('push')).toBe(here.some(({ canPush }) => canPush));
      }),
    );
  });

  it('does not depend on which of an account’s groups has a flag', () => {
    fc.assert(
      fc.property(grants, question, (held, requested) => {
        expect(allowed(merged(held), requested)).toBe(allowed(held, requested));
      }),
    );
  });

  it('agrees with `explain`, which names only the account’s grants', () => {
    fc.assert(
      fc.property(grants, question, flag, (held, requested, isAdmin) => {
        const { decision, because } = explain({ isAdmin, grants: held }, requested);
        expect(decision).toEqual(decide({ isAdmin, grants: held }, requested));
        expect(because.every((one) => held.includes(one))).toBe(true);
        if (!isAdmin) expect(allowed(because, requested)).toBe(decision.allowed);
      }),
    );
  });
});

/** At most one grant per folder, as the store returns them. */
function merged(held: FolderGrant[]): FolderGrant[] {
  return [...new Set(held.map(({ folder }) => folder))].map((folder) => {
    const here = held.filter((one) => one.folder === folder);
    return {
      folder,
      canPull: here.some(({ canPull }) => canPull),
      canPush: here.some(({ canPush }) => canPush),
      canPullExternal: here.some(({ canPullExternal }) => canPullExternal),
      canPushExternal: here.some(({ canPushExternal }) => canPushExternal),
    };
  });
}

describe('folderOf', () => {
  it('is the first of at least two segments where that folder exists, else the root', () => {
    fc.assert(
      fc.property(repository, folders, (name, all) => {
        const [first = '', ...rest] = name.split('/');
        expect(folderOf(name, all)).toBe(rest.length > 0 && all.has(first) ? first : ROOT_FOLDER);
      }),
    );
  });

  it('is always an existing folder, whatever the text', () => {
    fc.assert(fc.property(fc.string(), folders, (text, all) => all.has(folderOf(text, all))));
  });

  it('is the folder of a push, where one was given', () => {
    fc.assert(
      fc.property(repository, segment, folders, (image, folder, all) => {
        const known = new Set([...all, folder]);
        expect(folderOf(localRepository(image, folder), known)).toBe(folder);
      }),
    );
  });
});

describe('names', () => {
  it('no repository has `__root__` or another name that begins with _ as a segment', () => {
    const underscored = fc.oneof(
      fc.constant(ROOT_FOLDER),
      fc.stringMatching(/^[a-z0-9._-]{0,8}$/).map((rest) => `_${rest}`),
    );
    fc.assert(
      fc.property(fc.array(segment), underscored, fc.array(segment), (before, bad, after) => {
        expect(isRepository([...before, bad, ...after].join('/'))).toBe(false);
        expect(normalizeFolderName(bad)).toBeNull();
      }),
    );
  });

  it('a normalized folder name stays unchanged, and is a legal first segment', () => {
    const almost = fc.oneof(
      fc.string(),
      fc.stringMatching(/^ ?[A-Za-z0-9._-]{1,12} ?$/),
      fc.uuid(),
    );
    fc.assert(
      fc.property(almost, (text) => {
        const name = normalizeFolderName(text);
        fc.pre(name !== null);
        expect(normalizeFolderName(name)).toBe(name);
        expect(isRepository(`${name}/app`)).toBe(true);
        expect(folderOf(`${name}/app`, new Set([ROOT_FOLDER, name]))).toBe(name);
      }),
    );
  });

  it('no folder is named like an id', () => {
    fc.assert(fc.property(fc.uuid(), (id) => normalizeFolderName(id) === null));
    expect(normalizeFolderName('0190A1B2-0000-7000-8000-00000000000A')).toBeNull();
  });

  it('lists of folders are sorted, without duplicates, and each entry has the right', () => {
    fc.assert(
      fc.property(grants, fc.constantFrom('pull' as const, 'push' as const), (held, action) => {
        const names = foldersWith(held, action);
        expect(names).toEqual([...new Set(names)].sort());
        const all = new Set([ROOT_FOLDER, ...names]);
        for (const name of names) {
          const inside = name === ROOT_FOLDER ? 'alone' : `${name}/x`;
          expect(allowed(held, { action, repository: inside, folders: all, ...NO_MIRROR })).toBe(
            true,
          );
        }
      }),
    );
  });
});
