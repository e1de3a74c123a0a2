/** `pcs mirror list` and `pcs mirror show`: mirrors, and tags that are not as at the upstream. */
import type { Result } from '@portcullis/command';
import type { MirrorTagView } from '@portcullis/contract';
import { MIRROR_TAG_STATES } from '@portcullis/domain/mirror';
import { notFound } from '@portcullis/errors';
import type { PcsCall } from '../../command.ts';
import { attemptLines, mirrorLines, summaryLine, tagLines } from './lines.ts';

const MOST_TAGS = 200;

export async function list(call: PcsCall): Promise<Result> {
  const mirrors = await (await call.api()).call('folders.listMirrors');
  const none = ['No folder that you may pull from is a mirror.'];
  return { lines: mirrors.length === 0 ? none : mirrors.map(summaryLine), facts: { mirrors } };
}

export async function show(call: PcsCall, folder: string): Promise<Result> {
  const api = await call.api();
  const params = { folder_id: folder };
  const { mirror } = await api.call('folders.getMirror', { params });
  if (mirror === null) throw notFound('MIRROR_UNSET', `the folder ${folder} has no mirror`);
  const pages = await Promise.all(
    MIRROR_TAG_STATES.filter((state) => state !== 'current' && mirror.tags[state] > 0).map(
      (state) =>
        api.call('folders.listMirrorTags', { params, query: { state, page_size: MOST_TAGS } }),
    ),
  );
  const tags: MirrorTagView[] = pages.flatMap(({ items }) => items);
  const more = pages.reduce((sum, { total, items }) => sum + total - items.length, 0);
  return {
    lines: [
      ...mirrorLines(mirror),
      ...tags.flatMap(tagLines),
      ...attemptLines(mirror),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    facts: { mirror, tags },
  };
}
