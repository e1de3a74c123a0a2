/** Turns the pages of a list with numbers. */
import { ActionIcon, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useFormat, useMessages } from '../../i18n/messages.ts';
import type { FilteredList } from '../../kit/list/list.ts';
import type { NumberedPage } from '../../kit/list/use-numbered-list.ts';
import { Dimmed } from '../../kit/text/dimmed.tsx';

interface PagerProps {
  list: Pick<FilteredList<never, { page: number }>, 'state' | 'change'> & {
    data: NumberedPage<unknown> | undefined;
  };
  /** False if the registry only reports that there are more. */
  exact: boolean;
}

export function Pager({ list: { state, change, data }, exact }: PagerProps) {
  const t = useMessages('images');
  const { number } = useFormat();
  if (data === undefined) return null;
  const { page } = state;
  const { items, total, page_size: pageSize } = data;
  const first = (page - 1) * pageSize + 1;
  const last = first + items.length - 1;
  const text = exact
    ? t.range(number(first), number(last), number(total))
    : t.rangeOpen(number(first), number(last));
  return (
    <Group justify="flex-end" gap="xs" mt="sm">
      <Dimmed aria-live="polite">{text}</Dimmed>
      {total > pageSize && (
        <>
          <ActionIcon
            variant="default"
            aria-label={t.previous}
            disabled={page === 1}
            onClick={() => change({ page: page - 1 })}
          >
            <IconChevronLeft size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t.next}
            disabled={last >= total}
            onClick={() => change({ page: page + 1 })}
          >
            <IconChevronRight size={16} />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}
