/** Shows the first rows of a long list, and more on request. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMessages } from '../../../i18n/messages.ts';

const STEP = 100;

interface FirstRows<T> {
  rows: T[];
  /** Null where all are shown. */
  showMore: (() => void) | null;
}

/** @param list a name of what is listed: another list begins at its first rows */
export function useFirstRows<T>(all: readonly T[], list: string): FirstRows<T> {
  const [shown, setShown] = useState({ list, count: STEP });
  const count = shown.list === list ? shown.count : STEP;
  return {
    rows: all.slice(0, count),
    showMore: all.length > count ? () => setShown({ list, count: count + STEP }) : null,
  };
}

export function MoreRows({ showMore }: Pick<FirstRows<unknown>, 'showMore'>) {
  const t = useMessages('comparison');
  if (showMore === null) return null;
  return (
    <Button variant="default" mx="auto" mt="sm" onClick={showMore}>
      {t.more}
    </Button>
  );
}
