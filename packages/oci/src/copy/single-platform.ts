/**
 * Platforms of a manifest that is no index: they are in the image's configuration (image spec §
 * config.md). A platform that the image does not have is refused, as one that an index lacks.
 */

import { parseStrictJson } from '../json/parse-json.ts';
import { holdsImageConfig } from '../model/blob-content.ts';
import type { Platform } from '../model/descriptor.ts';
import { MAX_MANIFEST_BYTES, type Manifest } from '../model/manifest.ts';
import { isImageConfigType } from '../model/media-type.ts';
import { assertHasPlatforms } from '../model/platform.ts';
import { contentOf, readWhole } from './buffered.ts';
import type { Fetcher } from './content.ts';
import { contentWithErrorSide } from './error-side.ts';

/**
 * An artifact has no platform, and none is asked of it.
 *
 * @throws not_found `PLATFORM_UNKNOWN`
 */
export async function assertPlatforms(
  { config }: Pick<Manifest, 'config'>,
  wanted: string[],
  { source, signal }: { source: Fetcher; signal: AbortSignal },
): Promise<void> {
  const isImage = isImageConfigType(config.mediaType);
  if (config.size > MAX_MANIFEST_BYTES) {
    if (isImage) assertHasPlatforms([], wanted);
    return;
  }
  const content = contentWithErrorSide('source', await source.fetch(config, { signal }), signal);
  const bytes = await readWhole(content, config);
  if (isImage || (await holdsImageConfig(contentOf(bytes))))
    assertHasPlatforms(await platformsIn(bytes), wanted);
}

/** None where the configuration does not say both: absence names no platform. */
async function platformsIn(bytes: Uint8Array): Promise<Platform[]> {
  const { os, architecture, variant } = await objectIn(bytes);
  if (!isWord(os) || !isWord(architecture)) return [];
  return [{ os, architecture, ...(isWord(variant) && { variant }) }];
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

async function objectIn(bytes: Uint8Array): Promise<Record<string, unknown>> {
  try {
    const json = await parseStrictJson(bytes);
    return typeof json === 'object' && json !== null ? { ...json } : {};
  } catch {
    return {};
  }
}
