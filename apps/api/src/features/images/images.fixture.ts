/** For tests only: the api, a saved registry's server, and three accounts with different grants. */
import {
  buildImage,
  pushImage,
  startRegistry,
  type TestImage,
  type TestRegistry,
} from '@portcullis/testing';
import { type Client, startApi, type TestApi } from '../../api.fixture.ts';

export interface StartedImages {
  api: TestApi;
  /** Another registry, with a login. */
  outside: TestRegistry;
  root: Client;
  ann: Client;
  bob: Client;
  /** Pushes through `/v2`, as Docker does. */
  push(repository: string, tag: string | null, image: TestImage): Promise<void>;
  stop(): Promise<void>;
}

/** `ann` may do everything in `team` and pull from `shared`, `bob` pulls and pushes in `secret`. */
export async function startImages(env: Record<string, string> = {}): Promise<StartedImages> {
  const [api, outside] = await Promise.all([
    startApi({ ...env }),
    startRegistry({ auth: 'basic' }),
  ]);
  await api.account('root', { isAdmin: true });
  const [annId, bobId] = [await api.account('ann'), await api.account('bob')];
  await api.grant(annId, 'team', {
    canPull: true,
    canPush: true,
    canPullExternal: true,
    canPushExternal: true,
  });
  await api.grant(annId, 'shared', { canPull: true });
  await api.grant(bobId, 'secret', { canPull: true, canPush: true });
  const [root, ann, bob] = await Promise.all([api.as('root'), api.as('ann'), api.as('bob')]);

  async function push(repository: string, tag: string | null, image: TestImage): Promise<void> {
    const credentials = { username: 'root', password: 'pass-of-root' };
    await pushImage(api.url, repository, tag, image, { credentials });
  }

  async function stop(): Promise<void> {
    await Promise.all([api.stop(), outside.stop()]);
  }

  return { api, outside, root, ann, bob, push, stop };
}

export async function remove(
  client: Client,
  path: string,
): Promise<[number, Record<string, unknown> | null]> {
  const response = await client.delete(path);
  return [response.status, response.status === 204 ? null : await response.json()];
}

let made = 0;
export const single = (text = `${++made}`) =>
  buildImage({
    layers: [{ base: 'shared' }, { text }],
    config: {
      Labels: { team: 'a' },
      Env: ['A=1'],
      Cmd: ['run'],
      Entrypoint: ['/bin/sh'],
      ExposedPorts: { '80/tcp': {} },
      User: 'nobody',
      WorkingDir: '/srv',
    },
  });
