import { storedContent } from '@portcullis/local-registry';
import { FORWARDED, itConforms, receiving } from './conformance.fixture.ts';

itConforms([
  ['the registry is an outside one of distribution 2.8', { isOld: true }, () => FORWARDED],
  [
    'its storage also answers the reads',
    {},
    (dir) => ({ ...receiving(dir), storage: storedContent(dir) }),
  ],
]);
