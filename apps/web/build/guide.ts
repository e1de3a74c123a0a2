/** `virtual:guide`: the address of the guide, below that of the repository in `package.json`. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const NAME = 'virtual:guide';
const PACKAGE = new URL('../../../package.json', import.meta.url);

export function guide(): Plugin {
  return {
    name: 'portcullis:guide',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load: (id) =>
      id === `\0${NAME}` ? `export const GUIDE = ${JSON.stringify(address())};` : null,
  };
}

function address(): string {
  const { repository } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  return `${repository.url}/blob/main/docs/guide`;
}
