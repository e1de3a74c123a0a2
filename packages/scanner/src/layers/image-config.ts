/**
 * Reads an image configuration (OCI image spec § config.md, and Docker's with its extra members) as
 * far as a scan needs it. It is strict: an engine written in Go must not find other layers in it
 * than we do.
 */
import { type AppError, invalid, isAppError } from '@portcullis/errors';
import { misspelled, parseStrictJson } from '@portcullis/oci';
import { z } from 'zod';
import { baseLayerCount } from './base-layers.ts';

export interface ImageConfig {
  architecture: string;
  os: string;
  variant: string;
  /** What the configuration claims, compared with the layers in verify-layers.ts. */
  diffIds: string[];
  /** How many of them, from the lowest up, are the base image's; 0 where that is unknown. */
  baseLayers: number;
}

export const MAX_CONFIG_BYTES = 8 * 1024 * 1024;

/** The members that define the layers and the platform. */
const MEMBERS = new Set(['architecture', 'os', 'variant', 'rootfs', 'config', 'history']);
const ROOTFS_MEMBERS = new Set(['type', 'diff_ids']);

/** A GOOS or GOARCH value; anything else is dropped. */
const Word = z
  .string()
  .regex(/^[\w.-]{1,64}$/)
  .catch('');

const Config = z.object({
  architecture: Word,
  os: Word,
  variant: Word,
  rootfs: z.object({ diff_ids: z.array(z.string()).nullish() }),
  history: z.unknown().optional(),
});

/** @throws invalid `SCAN_CONFIG_INVALID` */
export async function parseImageConfig(bytes: Uint8Array): Promise<ImageConfig> {
  try {
    const json = await parseStrictJson(bytes);
    const { architecture, os, variant, rootfs, history } = Config.parse(json);
    assertSpelling(json);
    const diffIds = rootfs.diff_ids ?? [];
    const baseLayers = baseLayerCount(history, diffIds.length);
    return { architecture, os, variant, diffIds, baseLayers };
  } catch (cause) {
    throw unreadable(isAppError(cause) ? `: ${cause.message}` : '', cause);
  }
}

const Spelled = z.looseObject({ rootfs: z.looseObject({}) });

function assertSpelling(json: unknown): void {
  const config = Spelled.parse(json);
  const twin = misspelled(config, MEMBERS) ?? misspelled(config.rootfs, ROOTFS_MEMBERS);
  if (twin) throw unreadable(`: ${twin} is written in other letters than the specification's`);
}

function unreadable(why: string, cause?: unknown): AppError {
  return invalid('SCAN_CONFIG_INVALID', `the image's configuration can't be read${why}`, { cause });
}
