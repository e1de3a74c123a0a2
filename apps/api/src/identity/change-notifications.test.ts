import { sealer } from '@portcullis/runtime';
import { openStore, type Store } from '@portcullis/store';
import { describe, expect, it } from 'vitest';
import { announcing } from './change-notifications.ts';

/** All methods that may change rights. A new method is listed here or among the quiet ones. */
const ANNOUNCED = {
  users: ['ensureFirstAdmin', 'remove', 'update'],
  sessions: ['revoke', 'revokeAll'],
  tokens: ['remove', 'removeAll', 'rotate'],
  robots: ['update'],
  identityTrusts: ['remove', 'update'],
  groups: ['addMember', 'remove', 'removeMember', 'replaceProvided', 'update'],
  folders: ['ensureRoot', 'grant', 'insertFolder', 'remove', 'revoke', 'update'],
} as const;

const NOTHING = () => Promise.resolve();
/** Never connected: only its method names are used. */
const real = openStore('postgres://127.0.0.1:1/none', sealer(Buffer.alloc(32)));

/** Has every method of the real store, each of which returns `done`. */
function stub(group: keyof typeof ANNOUNCED): Store {
  const methods = Object.keys(real[group]).map((name) => [name, async () => 'done']);
  return { ...real, [group]: Object.fromEntries(methods) };
}

describe.each(Object.entries(ANNOUNCED))('of %s', (name, announced) => {
  const group = name as keyof typeof ANNOUNCED;

  it('changes of rights are announced, and nothing else', async () => {
    const heard: string[] = [];
    let calling = '';
    const store = announcing(stub(group), async () => void heard.push(calling));
    for (const method of Object.keys(real[group])) {
      calling = method;
      expect(await Reflect.get(store[group], method)()).toBe('done');
    }
    expect(heard.sort()).toEqual([...announced]);
  });
});

it('a change is announced after it was made, and also if its result is unknown', async () => {
  const order: string[] = [];
  const broken = { ...real.tokens, remove: () => Promise.reject(new Error('the answer was lost')) };
  const store = announcing({ ...real, tokens: broken }, async () => void order.push('announced'));
  await expect(store.tokens.remove('x').finally(() => order.push('answered'))).rejects.toThrow(
    'lost',
  );
  expect(order).toEqual(['announced', 'answered']);
});

it('everything else is the store itself', () => {
  expect(announcing(real, NOTHING).jobs).toBe(real.jobs);
});
