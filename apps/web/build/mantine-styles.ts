/**
 * Checks the lists of the styles of Mantine in `theme/`: they have those of the components that
 * the page uses, and of no other, which would be a sixth of the first load. A component of later
 * pages alone loads the second list, which is a third of the styles.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { isOfFirstPages } from './chunks.ts';

const THEME = path.resolve(import.meta.dirname, '../src/theme');
const FIRST = path.join(THEME, 'mantine.css');
const LATER = path.join(THEME, 'mantine-later.css');
/** Contains the names of a component's classes. */
const CLASSES = /\/@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;
/** Of no component. */
const ALWAYS = ['baseline', 'default-css-variables', 'global'];

export function mantineStyles(): Plugin {
  return {
    name: 'portcullis:mantine-styles',
    apply: 'build',
    async transform(code, id) {
      const name = CLASSES.exec(id)?.[1];
      if (!name || !(await listed(LATER)).has(name)) return null;
      return { code: `import ${JSON.stringify(LATER)};\n${code}`, map: null };
    },
    async generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const first = componentsOf(chunks.filter(({ name }) => isOfFirstPages(name)));
      const later = componentsOf(chunks).difference(first);
      const faults = [
        difference(await listed(FIRST), new Set([...ALWAYS, ...first]), 'mantine.css'),
        difference(await listed(LATER), later, 'mantine-later.css'),
      ].filter((fault) => fault !== null);
      if (faults.length > 0) this.error(faults.join('; '));
    },
  };
}

function componentsOf(chunks: readonly Rolldown.OutputChunk[]): Set<string> {
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
  const used = modules.flatMap(([id, { renderedLength }]) => {
    const name = CLASSES.exec(id)?.[1];
    return name && renderedLength > 0 ? [name] : [];
  });
  return new Set(used);
}

function difference(list: Set<string>, needed: Set<string>, file: string): string | null {
  const missing = [...needed.difference(list)];
  const unused = [...list.difference(needed)];
  if (missing.length + unused.length === 0) return null;
  return `theme/${file} lacks ${missing}, and has ${unused} in vain`;
}

async function listed(file: string): Promise<Set<string>> {
  const css = await readFile(file, 'utf8');
  return new Set([...css.matchAll(/styles\/([\w-]+)\.css/g)].map(([, name]) => name ?? ''));
}
