/** Deletes an entry of a list after a confirmation. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useNotices } from './notices.ts';

interface RemovalDialogProps {
  opened?: boolean;
  title: string;
  /** What is deleted with it. */
  children: ReactNode;
  /** The label of the confirming button: a verb. */
  action: string;
  remove(): Promise<unknown>;
  /** The notification after the deletion. */
  done: string;
  /** Queries that have the entry. */
  lists: readonly QueryKey[];
  /** Closes what shows the entry, before the queries are refetched. */
  onDone(): void | Promise<void>;
  onClose(): void;
}

export function RemovalDialog({
  opened = true,
  remove,
  done,
  lists,
  onDone,
  ...dialog
}: RemovalDialogProps) {
  const notices = useNotices();
  const queries = useQueryClient();
  const removal = useMutation({
    mutationFn: remove,
    async onSuccess() {
      notices.done(done);
      await onDone();
      await Promise.all(lists.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  return (
    <ConfirmDialog
      {...dialog}
      opened={opened}
      pending={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
    />
  );
}
