import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONGEST } from './longest-first.ts';

const ROOT = join(import.meta.dirname, '../../..');

it('names files that exist, each once', () => {
  expect(LONGEST.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});
