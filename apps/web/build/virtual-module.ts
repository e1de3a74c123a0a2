/** A module that is made while the page is built, and exports one value. */
import type { Plugin } from 'vite';

/** @param make is called when the module is loaded; its value becomes JSON */
export function virtualModule(name: string, exported: string, make: () => unknown): Plugin {
  const id = `virtual:${name}`;
  return {
    name: `portcullis:${name}`,
    resolveId: (asked) => (asked === id ? `\0${id}` : null),
    load: (asked) =>
      asked === `\0${id}` ? `export const ${exported} = ${JSON.stringify(make())};` : null,
  };
}
