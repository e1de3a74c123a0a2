/** What becomes of an image of another registry, which was not judged here. */
import { writtenHost } from '../mirror/mirror.ts';
import type { ImageAdmission } from './admission-answer.ts';

export const FOREIGN_IMAGES = ['deny', 'warn', 'allow'] as const;
export type ForeignImages = (typeof FOREIGN_IMAGES)[number];

export function foreignAdmission(
  host: string,
  foreign: ForeignImages,
  hosts: ReadonlySet<string>,
): ImageAdmission {
  const from = writtenHost({ host });
  const own = [...hosts].join(', ');
  if (foreign === 'deny') {
    const sentence = `images of ${from} are not admitted here, only those of ${own}`;
    return { outcome: 'refused', code: 'FOREIGN_IMAGE', sentence };
  }
  const warning = foreign === 'warn' ? `images of ${from} are not judged` : null;
  return { outcome: 'admitted', digest: null, warning };
}
