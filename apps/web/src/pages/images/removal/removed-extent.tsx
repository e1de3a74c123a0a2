/** What is deleted with repositories: how many tags and bytes. */
import { Text } from '@mantine/core';
import type { ImageRepository } from '@portcullis/contract';
import { useWords } from '../../../i18n/messages.ts';
import { Dimmed } from '../../../kit/text/dimmed.tsx';

export function RemovedExtent({ repositories }: { repositories: readonly ImageRepository[] }) {
  const [t, format] = useWords('images');
  const count = repositories.length;
  const tags = sumOf(repositories.map(({ tag_count }) => tag_count));
  const size = sumOf(repositories.map((each) => each.size));
  if (tags === null || size === null) return t.removal.textOfUnknown(count);
  return (
    <>
      <Text>{t.removal.text(count, t.tagCount(tags), format.bytes(size))}</Text>
      <Dimmed mt={4}>{t.removal.shared}</Dimmed>
    </>
  );
}

/** Null where one of them is not known, as of other registries. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}
