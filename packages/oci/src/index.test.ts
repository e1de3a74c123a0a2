import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('nothing that the vocabulary entry imports needs Node, for it runs in a browser too', () => {
  expect([...specifiers('./index.ts')].filter((specifier) => !specifier.startsWith('./'))).toEqual([
    '@portcullis/errors',
  ]);
});

function specifiers(module: string, seen = new Set<string>()): Set<string> {
  const text = readFileSync(new URL(module, import.meta.url), 'utf8');
  for (const [, specifier = ''] of text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)';/gm)) {
    if (seen.has(specifier)) continue;
    seen.add(specifier);
    if (specifier.startsWith('./')) specifiers(specifier, seen);
  }
  return seen;
}
