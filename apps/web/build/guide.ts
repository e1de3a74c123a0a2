/** `virtual:guide`: the address of the guide, below that of the repository in `package.json`. */
import { readFileSync } from 'node:fs';
import { virtualModule } from './virtual-module.ts';

const PACKAGE = new URL('../../../package.json', import.meta.url);

export const guide = () => virtualModule('guide', 'GUIDE', address);

function address(): string {
  const { repository } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  return `${repository.url}/blob/main/docs/guide`;
}
