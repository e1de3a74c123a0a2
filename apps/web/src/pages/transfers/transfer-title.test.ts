import { expect, it } from 'vitest';
import { type TitledTransfer, transferTitle } from './transfer-title.ts';

const options = {
  words: {
    fromTo: (from: string, to: string) => `${from} → ${to}`,
    andMore: (image: string, n: number) => `${image} + ${n} more`,
  },
  nameOf: () => 'Mirror',
};

const LOCAL = { registry_id: '__local__', host: '127.0.0.1:5000' };
const OTHER = { registry_id: '0198', host: 'mirror.example' };

function of({ first = {}, ...more }: Partial<TitledTransfer> & { first?: object } = {}): string {
  const transfer: TitledTransfer = {
    schedule_name: null,
    first_image: { repository: 'library/nginx', tag: '1.27', destination: 'shop/nginx', ...first },
    entry_count: 1,
    selections: [],
    destination: LOCAL,
    ...more,
  };
  return transferTitle(transfer, options);
}

const selection = (index: number, match: TitledTransfer['selections'][number]['match']) => ({
  ...{ index, repository: 'library/nginx', destination: 'here/shop/nginx', match, newest: null },
  ...{ state: 'done' as const, tags_seen: 1, jobs_made: 1, skipped: [], error: null },
});

it.each([
  ['the schedule', of({ schedule_name: 'Nightly mirror', entry_count: 9 }), 'Nightly mirror'],
  ['the only image and its folder', of(), 'library/nginx:1.27 → shop'],
  ['the first of several images', of({ entry_count: 4 }), 'library/nginx:1.27 + 3 more → shop'],
  ['the other registry', of({ destination: OTHER }), 'library/nginx:1.27 → Mirror'],
  [
    'the registry without a folder',
    of({ first: { destination: 'nginx' } }),
    'library/nginx:1.27 → Mirror',
  ],
  ['an image by its digest', of({ first: { tag: 'sha256:ab' } }), 'library/nginx@sha256:ab → shop'],
  [
    'the pattern of the first entry',
    of({ first: { tag: null }, selections: [selection(0, { glob: '1.*' })] }),
    'library/nginx:1.* → shop',
  ],
  [
    'the repository where the pattern is not known',
    of({ first: { tag: null }, selections: [selection(1, { regex: '^2' })] }),
    'library/nginx → shop',
  ],
])('a transfer is called by %s', (_, title, expected) => {
  expect(title).toBe(expected);
});
