import { FORWARDED, itConforms, receiving } from './conformance.fixture.ts';

itConforms([
  ['uploads are forwarded', {}, () => FORWARDED],
  ['uploads are received into its storage', {}, (dir) => ({ ...FORWARDED, ...receiving(dir) })],
]);
