/** `pcs mirror`: folders with an upstream. */
import type { Result } from '@portcullis/command';
import { MIRROR_CLIENTS } from '@portcullis/domain/mirror';
import { invalid } from '@portcullis/errors';
import type { PcsCall, PcsCommand } from '../../command.ts';
import { PLATFORM } from '../../platforms.ts';
import { config } from './config.ts';
import { remove, set } from './set.ts';
import { list, show } from './show.ts';

/** Each takes the name of a folder. */
const ACTIONS: Record<string, (call: PcsCall, folder: string) => Promise<Result>> = {
  show,
  set,
  remove,
  config,
};

export const mirror: PcsCommand = {
  name: 'mirror',
  words: ['<list|show|set|remove|config>', '[folder]'],
  summary: 'folders that bring in what they lack, and the files of their clients',
  help: [
    '`mirror show <folder>` prints its upstream, and the tags that are refused, on their way or not as at the upstream.',
    '`mirror set <folder> --from hub` makes a folder a mirror, or changes what the options name; for administrators.',
    '`mirror remove <folder>` ends it; what is in the folder stays.',
    '`mirror config <folder> --client podman` prints the files that make a client read the images of the upstream from',
    'the mirror and from nothing else. containerd is also Kubernetes, podman also Buildah, Skopeo and CRI-O.',
  ],
  options: {
    from: {
      type: 'string',
      help: 'the upstream: hub, or a saved registry by its name, host or id',
    },
    prefix: { type: 'string', help: 'what is put before a path at the upstream' },
    allow: {
      type: 'string',
      help: 'patterns of paths that may be brought in, as library/*,grafana/*',
    },
    ...PLATFORM,
    'check-minutes': { type: 'string', help: 'how long an answer about a tag counts' },
    'keep-days': { type: 'string', help: 'how long a tag stays that no account pulls' },
    client: { type: 'string', values: MIRROR_CLIENTS, help: MIRROR_CLIENTS.join(', ') },
  },
  async run(call) {
    const [action = '', folder] = call.words;
    if (action === 'list' && folder === undefined) return list(call);
    const act = ACTIONS[action];
    if (act === undefined || folder === undefined)
      throw invalid(
        'USAGE',
        'usage: pcs mirror list, or pcs mirror show|set|remove|config <folder>',
      );
    return act(call, folder);
  },
};
