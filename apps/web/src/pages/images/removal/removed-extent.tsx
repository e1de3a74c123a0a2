/** What is deleted with repositories: how many tags and bytes. */
import { Text } from '@mantine/core';
import type { ImageRepository } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';

export function RemovedExtent({ repositories }: { repositories: readonly ImageRepository[] }) {
  const t = useMessages('images');
  const format = useFormat();
  const count = repositories.length;
  const tags = sumOf(repositories.map(({ tag_count }) => tag_count));
  const size = sumOf(repositories.map((each) => each.size));
  if (tags === null || size === null) return t.removal.textOfUnknown(count);
  return (
    <>
      <Text>{t.removal.text(count, t.tagCount(tags), format.bytes(size))}</Text>
      <Text size="sm" c="dimmed" mt={4}>
        {t.removal.shared}
      </Text>
    </>
  );
}

/** Null where one of them is not known, as of other registries. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}
