/**
 * Checks `theme/mantine.css`: it has the styles of the components of Mantine that the page uses,
 * and of no other. All styles of the library would be a sixth of the first load.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

const LIST = path.resolve(import.meta.dirname, '../src/theme/mantine.css');
/** Contains the names of a component's classes. */
const CLASSES = /\/@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;
/** Of no component. */
const ALWAYS = ['baseline', 'default-css-variables', 'global'];

export function mantineStyles(): Plugin {
  return {
    name: 'portcullis:mantine-styles',
    apply: 'build',
    async generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
      const used = modules.flatMap(([id, { renderedLength }]) => {
        const name = CLASSES.exec(id)?.[1];
        return name && renderedLength > 0 ? [name] : [];
      });
      const needed = new Set([...ALWAYS, ...used]);
      const listed = new Set(namesOf(await readFile(LIST, 'utf8')));
      const missing = [...needed.difference(listed)];
      const unused = [...listed.difference(needed)];
      if (missing.length + unused.length > 0)
        this.error(`theme/mantine.css lacks ${missing}, and has ${unused} in vain`);
    },
  };
}

function namesOf(css: string): string[] {
  return [...css.matchAll(/styles\/([\w-]+)\.css/g)].map(([, name]) => name ?? '');
}
