import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { nodeFault } from './node-version.ts';

it.each(['22.15.0', '22.21.1', '24.0.0'])('Node %s runs the command', (version) => {
  expect(nodeFault(version)).toBeNull();
});

it.each(['18.20.4', '20.20.2', '22.14.0'])(
  'Node %s is refused with the version needed and where there is one',
  (old) => {
    expect(nodeFault(old)).toMatchObject({
      code: 'NODE_TOO_OLD',
      message: expect.stringMatching(
        new RegExp(
          `^this is Node ${old}; pcs needs 22\\.15 or newer\\. Install it .*node_modules/`,
        ),
      ),
    });
  },
);

it('package.json names the same version', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(JSON.parse(manifest).engines.node).toBe('>=22.15');
});
