import type { AuditEvent } from '@portcullis/domain';
import type { RetainedTag, RetentionRule } from '@portcullis/domain/retention';
import { conflict, notFound, unavailable } from '@portcullis/errors';
import { expect, it } from 'vitest';
import { type RemoveExpiredPorts, removeExpired } from './remove-expired.ts';

const NOW = new Date('2026-11-27T00:00:00Z');
const LONG_AGO = new Date('2026-01-01T00:00:00Z');
const digest = (letter: string) => `sha256:${letter.repeat(64)}` as const;
const SIGNATURE = `sha256-${'a'.repeat(64)}.sig`;
const RULE = { keepNewest: null, keepDays: 30, keep: [] };

/** A registry and its index; each tag has the digest of one letter. */
function inMemory(tags: Record<string, string>) {
  const registry = new Map(Object.entries(tags).map(([tag, letter]) => [tag, digest(letter)]));
  const index = new Map<string, RetainedTag>();
  const put = (tag: string, letter: string, updatedAt = NOW) => {
    registry.set(tag, digest(letter));
    index.set(tag, { tag, digest: digest(letter), updatedAt, found: false });
  };
  for (const [tag, letter] of Object.entries(tags)) put(tag, letter, LONG_AGO);
  const events: AuditEvent[] = [];
  const outcomes: string[] = [];
  const failures = new Map<string, Error>();
  const folders = new Set(['team']);
  let answers = true;
  let isCurrent = true;
  const over = new AbortController();
  /** Called right before the tag is compared. */
  let meanwhile: (tag: string) => void = () => {};
  const ports: RemoveExpiredPorts = {
    retention: {
      tags: async () => [...index.values()],
      findTag: async (_, tag) => index.get(tag) ?? null,
      children: async () => new Map(),
    },
    immutableTags: { patternOf: async () => () => null },
    async removeTag(_, tag, remove) {
      meanwhile(tag);
      await remove();
      const found = registry.get(tag);
      if (found === undefined) index.delete(tag);
    },
    open: () => ({
      async resolve(tag) {
        const found = registry.get(tag);
        if (found === undefined) throw notFound('MANIFEST_UNKNOWN', 'gone');
        return { digest: found, mediaType: 'm', size: 1 };
      },
      async removeTag(tag) {
        const failure = failures.get(tag);
        if (failure) throw failure;
        registry.delete(tag);
      },
      allTags: async () => [...registry.keys()],
    }),
    folders: async () => folders,
    answers: async () => answers,
    audit: {
      flushSoon() {},
      scope: (draft) => ({
        run: (work) => work(),
        async intend() {},
        async end(event) {
          if (event) events.push(event);
          expect(event === null || event.id === draft().id).toBe(true);
          return true;
        },
        mayHaveChanged: () => true,
      }),
    },
    now: () => NOW,
    log: { warn() {} },
  };
  return {
    ...{ put, failures, outcomes, folders },
    /** From the registry alone: the index is an earlier one. */
    lose: (tag: string) => registry.delete(tag),
    remove: (rule: RetentionRule = RULE) =>
      removeExpired(
        'team/app',
        {
          ...{ folder: 'team', rule, signal: over.signal },
          async isCurrent() {
            if (!isCurrent) over.abort();
            return isCurrent;
          },
          note: async (outcome) => void outcomes.push(outcome),
        },
        ports,
      ),
    left: () => [...registry.keys()].sort(),
    events: () => events.map(({ outcome, detail }) => [detail.tag, outcome, detail.code]),
    whenAsked: (change: typeof meanwhile) => {
      meanwhile = change;
    },
    changeRule: () => {
      isCurrent = false;
    },
    disconnect: () => {
      answers = false;
    },
  };
}

it('removes what is old, and records it', async () => {
  const { remove, left, events, outcomes } = inMemory({ one: 'a', two: 'b' });
  expect(await remove()).toBe(0);
  expect(left()).toEqual([]);
  expect(events()).toEqual([
    ['one', 'success', undefined],
    ['two', 'success', undefined],
  ]);
  expect(outcomes).toEqual(['removed', 'removed']);
});

it.each([
  ['moved to another image', 'b'],
  ['pushed with the same image', 'a'],
])('leaves a tag that is %s right before', async (_, letter) => {
  const { remove, left, put, whenAsked, events } = inMemory({ one: 'a', two: 'c' });
  whenAsked((tag) => tag === 'one' && put('one', letter));
  expect(await remove()).toBe(1);
  expect(left()).toEqual(['one']);
  expect(events()).toEqual([['two', 'success', undefined]]);
});

it('counts no tag as the newest that only the index has', async () => {
  const { remove, left, lose, put } = inMemory({ one: 'a', two: 'b', three: 'c' });
  put('three', 'c', NOW);
  lose('three');
  expect(await remove({ ...RULE, keepDays: null, keepNewest: 2 })).toBe(3);
  expect(left()).toEqual(['one', 'two']);
});

it('leaves the tags of a repository that comes under another folder', async () => {
  const { remove, left, whenAsked, folders } = inMemory({ one: 'a', two: 'b' });
  whenAsked((tag) => tag === 'two' && folders.delete('team'));
  expect(await remove()).toBe(1);
  expect(left()).toEqual(['two']);
});

it('removes no tag once the rule is changed', async () => {
  const all = { one: 'a', two: 'b', three: 'c' };
  const { remove, left, whenAsked, changeRule, events, outcomes } = inMemory(all);
  whenAsked((tag) => tag === 'two' && changeRule());
  await expect(remove()).rejects.toThrow('aborted');
  expect(left()).toEqual(['three', 'two']);
  expect(events()).toEqual([['one', 'success', undefined]]);
  expect(outcomes).toEqual(['removed']);
});

it('leaves the signature of an image that is pushed again during the run', async () => {
  const { remove, left, put, whenAsked } = inMemory({ one: 'a', [SIGNATURE]: 's' });
  whenAsked((tag) => tag === 'one' && put('one', 'a'));
  expect(await remove()).toBe(2);
  expect(left()).toEqual(['one', SIGNATURE].sort());
});

it('goes on after a tag that is refused, and records the reason', async () => {
  const { remove, left, failures, events, outcomes } = inMemory({ one: 'a', two: 'b', three: 'c' });
  failures.set('one', conflict('TAG_IMMUTABLE', 'no'));
  failures.set('two', unavailable('REGISTRY_UNAVAILABLE', 'broken'));
  expect(await remove()).toBe(2);
  expect(left()).toEqual(['one', 'two']);
  expect(events()).toEqual([
    ['one', 'failure', 'TAG_IMMUTABLE'],
    ['two', 'failure', 'REGISTRY_UNAVAILABLE'],
    ['three', 'success', undefined],
  ]);
  expect(outcomes).toEqual(['failed', 'failed', 'removed']);
});

it('ends where the registry does not answer, or removes nothing', async () => {
  const gone = inMemory({ one: 'a', two: 'b' });
  gone.failures.set('one', unavailable('REGISTRY_UNREACHABLE', 'gone'));
  gone.disconnect();
  await expect(gone.remove()).rejects.toThrow('gone');
  expect([gone.left(), gone.outcomes]).toEqual([['one', 'two'], []]);

  const names = ['1', '2', '3', '4', '5', '6'];
  const broken = inMemory(Object.fromEntries(names.map((name) => [name, 'a'])));
  for (const name of names)
    broken.failures.set(name, unavailable('REGISTRY_UNAVAILABLE', 'broken'));
  await expect(broken.remove()).rejects.toThrow('broken');
  expect(broken.outcomes).toHaveLength(5);
});
