import path from 'node:path';
import { expect, it } from 'vitest';
import { CACHE_KEYS } from './cli.ts';

it.each(Object.values(CACHE_KEYS))(
  'the key %s hides no file from the scanner: no file can have this name',
  (key) => {
    // How Trivy cleans a pattern of `--skip-files` and the name of each file before it compares
    // them.
    expect(path.posix.normalize(key)).toMatch(/^\.\/?$/);
  },
);
