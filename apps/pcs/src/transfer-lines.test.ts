import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { planLines } from './transfer-lines.ts';

it('a plan says why an immutable tag would refuse an image', () => {
  const destination = 'registry.example/team/app:v1';
  const items = [
    {
      ...{ index: 0, repository: 'acme/app', tag: 'v1', destination, state: 'copy' as const },
      ...{ digest: 'sha256:a', bytes_total: 10, bytes_to_move: null, decision: null },
      until: null,
      ...{ code: 'TAG_IMMUTABLE', reason: 'the tag v1 of team/app is immutable' },
    },
  ];
  const totals = {
    ...{ images: 1, copy: 1, present: 0, refused: 0, failed: 0, not_looked_at: 0, skipped: 0 },
    ...{ blocked: 1, not_judged: 0, bytes_to_move: 0 },
  };
  expect(planLines({ items, totals }).map(stripVTControlCharacters)).toEqual([
    '  to copy      acme/app:v1 → registry.example/team/app:v1',
    '               would be blocked: the tag v1 of team/app is immutable (TAG_IMMUTABLE)',
    expect.stringMatching(/^1 image: 1 to copy; .* to move; 1 would be blocked$/),
  ]);
});
