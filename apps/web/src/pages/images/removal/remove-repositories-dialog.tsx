/** Asks before several repositories are deleted: how many, with how many tags and bytes. */
import { Text } from '@mantine/core';
import type { ImageRepository } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';

interface RemoveRepositoriesDialogProps {
  repositories: readonly ImageRepository[];
  /** How many others match, which the account may not delete. */
  leftOut: number;
  onConfirm(): void;
  onClose(): void;
}

export function RemoveRepositoriesDialog({
  repositories,
  leftOut,
  ...acts
}: RemoveRepositoriesDialogProps) {
  const t = useMessages('images');
  const { remove } = useMessages('bulk');
  const format = useFormat();
  const count = repositories.length;
  const tags = sumOf(repositories.map(({ tag_count }) => tag_count));
  const size = sumOf(repositories.map((each) => each.size));
  const isKnown = tags !== null && size !== null;
  return (
    <ConfirmDialog opened title={t.removal.title(count)} action={remove} {...acts}>
      <Text>
        {isKnown
          ? t.removal.text(count, t.tagCount(tags), format.bytes(size))
          : t.removal.textOfUnknown(count)}
      </Text>
      {isKnown && (
        <Text size="sm" c="dimmed" mt={4}>
          {t.removal.shared}
        </Text>
      )}
      {leftOut > 0 && <Text mt="xs">{t.removal.leftOut(leftOut)}</Text>}
    </ConfirmDialog>
  );
}

/** Null where one of them is not known, as of other registries. */
function sumOf(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0);
}
