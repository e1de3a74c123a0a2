/** `pcs mirror`: folders with an upstream. */
import { MIRROR_CLIENTS } from '@portcullis/domain/mirror';
import { invalid } from '@portcullis/errors';
import type { PcsCommand } from '../../command.ts';
import { config } from './config.ts';

export const mirror: PcsCommand = {
  name: 'mirror',
  words: ['<config>', '[folder]'],
  summary: 'folders that bring in what they lack, and the files of their clients',
  help: [
    '`mirror config <folder> --client podman` prints the files that make a client read the images of the upstream from',
    'the mirror and from nothing else. containerd is also Kubernetes, podman also Buildah, Skopeo and CRI-O.',
  ],
  options: {
    client: { type: 'string', values: MIRROR_CLIENTS, help: MIRROR_CLIENTS.join(', ') },
  },
  async run(call) {
    const [action, folder] = call.words;
    if (action === 'config' && folder !== undefined) return config(call, folder);
    throw invalid('USAGE', 'usage: pcs mirror config <folder>');
  },
};
