import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useFormat } from '../../i18n/format.ts';
import { useMessages } from '../../i18n/messages.ts';

interface PagerProps {
  page: number;
  pageSize: number;
  shown: number;
  total: number;
  /** False if the registry only reports that there are more. */
  exact: boolean;
  onPage(page: number): void;
}

export function Pager({ page, pageSize, shown, total, exact, onPage }: PagerProps) {
  const t = useMessages('images');
  const { number } = useFormat();
  const first = (page - 1) * pageSize + 1;
  const last = first + shown - 1;
  const text = exact
    ? t.range(number(first), number(last), number(total))
    : t.rangeOpen(number(first), number(last));
  return (
    <Group justify="flex-end" gap="xs" mt="sm">
      <Text size="sm" c="dimmed" aria-live="polite">
        {text}
      </Text>
      {total > pageSize && (
        <>
          <ActionIcon
            variant="default"
            aria-label={t.previous}
            disabled={page === 1}
            onClick={() => onPage(page - 1)}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t.next}
            disabled={last >= total}
            onClick={() => onPage(page + 1)}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}
