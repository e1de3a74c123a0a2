import type { Group as GroupView } from '@portcullis/contract';
import type { Group } from '@portcullis/store';

export function presentGroup({ id, name, description, createdAt, members }: Group): GroupView {
  return { id, name, description, created_at: createdAt.toISOString(), members };
}
