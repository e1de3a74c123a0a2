import { invalid, tooLarge, unavailable } from '@portcullis/errors';
import { expect, it } from 'vitest';
import { layerFault } from './layer-fault.ts';

const ofSystem = (code: string) =>
  Object.assign(new Error(`${code}: write`), { code, syscall: 'write', errno: -1 });

it.each([
  [ofSystem('ENOENT'), 'SCAN_LAYOUT_INVALID', 'invalid'],
  [ofSystem('ENOSPC'), 'SCAN_NO_SPACE', 'unavailable'],
  [ofSystem('EDQUOT'), 'SCAN_NO_SPACE', 'unavailable'],
  [ofSystem('EROFS'), 'SCAN_FAILED', 'unavailable'],
  [ofSystem('EIO'), 'SCAN_FAILED', 'unavailable'],
  [ofSystem('EMFILE'), 'SCAN_FAILED', 'unavailable'],
  [unavailable('DISK_FULL', 'the disk is full'), 'DISK_FULL', 'unavailable'],
  [tooLarge('SCAN_TOO_LARGE', 'too much'), 'SCAN_TOO_LARGE', 'too_large'],
  [invalid('TAR_INVALID', 'no archive'), 'SCAN_LAYER_INVALID', 'invalid'],
  [
    Object.assign(new Error('incorrect data check'), { code: 'Z_DATA_ERROR' }),
    'SCAN_LAYER_INVALID',
    'invalid',
  ],
])('%s is %s, which is %s', (cause, code, kind) => {
  expect(layerFault(cause)).toMatchObject({ code, kind });
});
