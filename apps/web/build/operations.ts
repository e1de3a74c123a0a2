/**
 * `virtual:operations`: method, path and answer of each operation. The contract's schemas stay on
 * the server; they would be larger than the rest of the first load.
 */
import { endpoints } from '@portcullis/client/endpoints';
import type { Plugin } from 'vite';

const NAME = 'virtual:operations';

export function operations(): Plugin {
  return {
    name: 'portcullis:operations',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}` ? `export const operations = ${JSON.stringify(endpoints())};` : null,
  };
}
