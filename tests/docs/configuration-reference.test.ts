import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  FILE,
  reference,
  SECTIONS,
  variables,
} from '../../tools/config-reference/configuration-reference.ts';

describe('docs/guide/configuration.md', () => {
  it('explains every variable that a process reads', () => {
    const explained = new Set(Object.values(SECTIONS).flatMap((words) => Object.keys(words)));
    expect([...variables().keys()].filter((name) => !explained.has(name))).toEqual([]);
  });

  it('matches the current schemas (`npm run docs` writes it)', () => {
    expect(readFileSync(FILE, 'utf8')).toBe(reference());
  });
});
