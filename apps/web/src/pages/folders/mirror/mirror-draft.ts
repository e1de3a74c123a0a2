/** The form of a mirror, and what is sent of it. */
import type { FolderMirror } from '@portcullis/contract';

/** In place of the id of a registry. */
export const DOCKER_HUB = 'docker_hub';

export interface MirrorDraft extends Omit<FolderMirror, 'registry_id'> {
  /** Empty before one is chosen. */
  registry: string;
}

/** What the fields propose for a folder without a mirror. */
const PROPOSED: Omit<MirrorDraft, 'registry'> = {
  prefix: '',
  allow: ['*'],
  platforms: [],
  check_minutes: 60,
  keep_days: 90,
};

export function draftOf(mirror: FolderMirror | null): MirrorDraft {
  if (mirror === null) return { registry: DOCKER_HUB, ...PROPOSED };
  const { registry_id: id, prefix, allow, platforms, check_minutes, keep_days } = mirror;
  return { registry: id ?? DOCKER_HUB, prefix, allow, platforms, check_minutes, keep_days };
}

export function mirrorOf({ registry, prefix, ...terms }: MirrorDraft): FolderMirror {
  const registry_id = registry === DOCKER_HUB ? null : registry;
  return { registry_id, prefix: prefix.trim(), ...terms };
}
