/** Images of the built-in registry as people write them on the command line, and that registry. */
import { registrySocket } from '@portcullis/local-registry';
import { parseImageName } from '@portcullis/oci';
import { openRepository, type Repository } from '@portcullis/oci/remote';
import { localRegistryOptions, openEgress } from '@portcullis/registry-access';
import type { CommandCall } from './command.ts';

export type OpenRepository = (repository: string) => Repository;

/** The host of this installation, as it is in the names of its images. */
export function publicHost({ config: { publicUrl, port } }: CommandCall): string {
  return publicUrl === undefined ? `localhost:${port}` : new URL(publicUrl).host.toLowerCase();
}

/** @throws invalid where the words are no image */
export function localImage(
  call: CommandCall,
  words: string,
): { repository: string; reference: string } {
  const own = `${publicHost(call)}/`;
  const { repository, digest, tag } = parseImageName(
    words.startsWith(own) ? words.slice(own.length) : words,
  );
  return { repository, reference: digest ?? tag ?? 'latest' };
}

export async function withRegistry<T>(
  { config, surroundings }: CommandCall,
  work: (open: OpenRepository) => Promise<T>,
): Promise<T> {
  const url = await surroundings.url('registry');
  const egress = await openEgress({
    ownServices: [],
    innerSocket: registrySocket(url),
    allow: [],
    deny: [],
    proxy: () => config.network.proxy,
    transport: {},
  });
  const options = localRegistryOptions(url, egress.inner);
  try {
    return await work((repository) => openRepository({ ...options, repository }));
  } finally {
    await egress.close();
  }
}
