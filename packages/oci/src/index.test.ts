import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the entry imports nothing that needs Node, because browsers use it too', () => {
  const outside = [...imports(new URL('./index.ts', import.meta.url))].filter(
    (name) => !name.startsWith('file:'),
  );
  expect(outside).toEqual([]);
});

/** The URLs of all modules that a module leads to, and the names of the packages they import. */
function imports(module: URL, seen = new Set<string>()): Set<string> {
  const text = readFileSync(module, 'utf8');
  for (const [, specifier = ''] of text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)';/gm)) {
    const url = specifier.startsWith('.') ? new URL(specifier, module) : undefined;
    const name = url?.href ?? specifier;
    if (seen.has(name)) continue;
    seen.add(name);
    if (url) imports(url, seen);
  }
  return seen;
}
