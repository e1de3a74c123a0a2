/** `pcs running`: where images of the built-in registry run. */
import type { ApiClient } from '@portcullis/client';
import { countText } from '@portcullis/command';
import type { contract, RequestOf, RunningImage, RunningImages } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { isDigest } from '@portcullis/oci';
import type { PcsCommand } from '../../command.ts';
import { localImage } from '../../images.ts';

const MOST_LISTED = 1_000;
const NONE = [
  'No cluster is known to run such an image. Clusters that do not report are not known.',
];

export const running: PcsCommand = {
  name: 'running',
  words: ['[image]'],
  summary: 'the namespaces of clusters in which images run',
  help: [
    'The image is repository:tag or repository@digest of the built-in registry; without it, all that you may pull.',
    'What is known is what the agents of clusters report, and what the admission webhook admitted.',
  ],
  options: {
    vulnerability: { type: 'string', help: 'only images that have it, as CVE-2024-3094' },
    cluster: { type: 'string', help: 'only this cluster' },
    namespace: { type: 'string', help: 'only this namespace' },
  },
  async run(call) {
    const api = await call.api();
    const filter = {
      vulnerability: call.value('vulnerability'),
      cluster: call.value('cluster'),
      namespace: call.value('namespace'),
    };
    const [image] = call.words;
    const found = await all(api, { ...filter, ...(image && (await imageQuery(api, image))) });
    return { lines: runningLines(found), facts: found };
  },
};

/** A tag is resolved: what ran under it before is not meant. */
async function imageQuery(api: ApiClient, text: string) {
  const { repository, reference } = localImage(text, api.site);
  if (isDigest(reference)) return { repository, digest: reference };
  const params = { registry_id: LOCAL_REGISTRY_ID };
  const query = { repository, reference };
  const standing = await api.call('images.getImageStanding', { params, query });
  return { repository, digest: standing.requested_digest };
}

type Query = RequestOf<typeof contract.clusters.listRunningImages>['query'];

/** The first thousand. */
async function all(api: ApiClient, query: Query): Promise<RunningImages & { more: boolean }> {
  const images: RunningImage[] = [];
  let counts: RunningImages['counts'] = null;
  let cursor: string | undefined;
  do {
    const { items, next } = await api.page('clusters.listRunningImages', {
      query: { ...query, limit: 200, cursor },
    });
    images.push(...items.images);
    counts ??= items.counts;
    cursor = next ?? undefined;
  } while (cursor !== undefined && images.length < MOST_LISTED);
  return { counts, images, more: cursor !== undefined };
}

export function runningLines({
  counts,
  images,
  more,
}: RunningImages & { more: boolean }): string[] {
  if (counts === null) return NONE;
  const { namespaces, clusters, silent_namespaces: silent } = counts;
  const places = `${countText(namespaces, 'namespace')} of ${countText(clusters, 'cluster')}`;
  return [
    silent === 0 ? places : `${places}, in ${silent} of them as a silent agent reported last`,
    ...images.map(lineOf),
    ...(more ? [`and more than these ${images.length}`] : []),
  ];
}

function lineOf(image: RunningImage): string {
  const { cluster, namespace, repository, tags, digest } = image;
  const [tag] = tags;
  const name = tag === undefined ? repository : `${repository}:${tag}`;
  return `${cluster}/${namespace}: ${name}@${digest}, ${seenText(image)}`;
}

/** What an agent said long ago is not what runs now. */
function seenText({ source, seen_at: at, silent }: RunningImage): string {
  if (source === 'admission') return `started last ${at}`;
  return silent ? `ran ${at}, when its agent reported last` : `runs ${at}`;
}
