import { expect, it } from 'vitest';
import { readImageConfig } from './image-config.ts';

it.each([
  [
    'as many objects as fit',
    `{"os":"linux","architecture":"amd64","history":[${'{},'.repeat(200_000)}{}]}`,
  ],
  ['nested without end', `{"os":"linux","architecture":"amd64","a":${'['.repeat(5_000)}`],
  ['a member twice', '{"os":"linux","os":"windows","architecture":"amd64"}'],
  ['no JSON', '{"os":"linux"'],
])('shows nothing of a configuration with %s, and does not parse it', async (_, text) => {
  expect(await readImageConfig(Buffer.from(text))).toEqual(await readImageConfig(null));
});

it('shows the parts of an image configuration', async () => {
  const config = {
    os: 'linux',
    architecture: 'arm64',
    variant: 'v8',
    config: { Labels: { a: 'b', A: 'c' }, Cmd: ['sh'] },
    history: [{ created_by: 'ADD' }, { empty_layer: true }],
  };
  expect(await readImageConfig(Buffer.from(JSON.stringify(config)))).toMatchObject({
    platform: { os: 'linux', architecture: 'arm64', variant: 'v8' },
    labels: { a: 'b', A: 'c' },
    cmd: ['sh'],
    steps: ['ADD'],
  });
});
