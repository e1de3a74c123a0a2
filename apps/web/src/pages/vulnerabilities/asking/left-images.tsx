/** The images that are beyond the open requests of an account, and are not asked about. */
import { Text } from '@mantine/core';
import { MOST_OPEN_REVIEWS } from '@portcullis/domain';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import type { AskedImage } from './asked-images.ts';

const MOST_NAMED = 8;

interface LeftImagesProps {
  images: readonly AskedImage[];
  /** Images in staging beyond the newest hundred. */
  unlisted: number;
}

export function LeftImages({ images, unlisted }: LeftImagesProps) {
  const [t, format] = useWords('asking');
  const { andMore } = useMessages('vulnerabilities');
  if (images.length === 0)
    return unlisted > 0 ? <Text size="sm">{t.unlisted(unlisted)}</Text> : null;
  const more = images.length - MOST_NAMED;
  const names = images.slice(0, MOST_NAMED).map(({ name }) => name);
  return (
    <Text size="sm">
      {t.left(images.length, format.number(MOST_OPEN_REVIEWS))}
      {format.colon}
      {more > 0 ? [...names, andMore(format.number(more))].join(', ') : format.list(names)}
      {unlisted > 0 && `. ${t.unlisted(unlisted)}`}
    </Text>
  );
}
