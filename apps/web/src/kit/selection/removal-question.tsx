/** Asks before several entries are deleted: which, and what is deleted with them. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { ConfirmDialog } from '../action/confirm-dialog.tsx';

interface RemovalQuestionProps {
  title: string;
  text: ReactNode;
  names: readonly string[];
  /** How many of the selected ones the account may not delete. */
  leftOut: number;
  onConfirm(): void;
  onClose(): void;
}

/** The title says how many there are. */
const MOST_NAMED = 10;

export function RemovalQuestion({ text, names, leftOut, ...dialog }: RemovalQuestionProps) {
  const { remove } = useMessages('bulk');
  const [t, format] = useWords('rowActs');
  return (
    <ConfirmDialog opened action={remove} {...dialog}>
      <Text mb="xs" fw={550} style={{ overflowWrap: 'anywhere' }}>
        {names.length > MOST_NAMED
          ? `${names.slice(0, MOST_NAMED).join(', ')} …`
          : format.list(names)}
      </Text>
      {text}
      {leftOut > 0 && <Text mt="xs">{t.leftOut(leftOut)}</Text>}
    </ConfirmDialog>
  );
}
