/** No module imports itself through others, including type imports. */
import { expect, it } from 'vitest';
import { importsOf, resolveImport, shipped } from './sources.ts';

it('no import leads back to its own module', () => {
  expect(cyclesOf(graph()).map((cycle) => cycle.join(' → '))).toEqual([]);
});

it('a cycle of three modules is found', () => {
  const edges = { a: ['b'], b: ['c', 'd'], c: ['a'], d: [] };
  expect(cyclesOf(new Map(Object.entries(edges)))).toEqual([['a', 'b', 'c', 'a']]);
});

function graph(): Map<string, string[]> {
  const names = new Set(shipped.map(({ file }) => file));
  return new Map(
    shipped.map((source) => [
      source.file,
      importsOf(source).flatMap((specifier) => {
        const target = resolveImport(source, specifier);
        return target !== undefined && names.has(target) ? [target] : [];
      }),
    ]),
  );
}

/** Each cycle that a depth-first walk closes, from a module back to it. */
function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const finished = new Set<string>();
  const cycles: string[][] = [];
  function walk(module: string, trail: readonly string[]): void {
    const seenAt = trail.indexOf(module);
    if (seenAt >= 0) cycles.push([...trail.slice(seenAt), module]);
    if (seenAt >= 0 || finished.has(module)) return;
    for (const next of edges.get(module) ?? []) walk(next, [...trail, module]);
    finished.add(module);
  }
  for (const module of edges.keys()) walk(module, []);
  return cycles;
}
