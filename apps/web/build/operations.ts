/**
 * `virtual:operations`: method, path and answer of each operation. The contract's schemas stay on
 * the server; they would be larger than the rest of the first load.
 */
import { endpoints } from '@portcullis/client/endpoints';
import { virtualModule } from './virtual-module.ts';

export const operations = () => virtualModule('operations', 'operations', endpoints);
