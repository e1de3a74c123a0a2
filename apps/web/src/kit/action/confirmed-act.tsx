/** Does what can't be undone, after a confirmation, and refetches what has changed. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useNotices } from './notices.ts';

export interface ConfirmedActProps<A> {
  opened?: boolean;
  title: string;
  /** Of the button: a verb. */
  action: string;
  /** What it does, by the fault of an attempt. */
  children: ReactNode | ((error: unknown) => ReactNode);
  run(): Promise<A>;
  /** The notification afterwards. */
  done(answer: A): string;
  /** Queries that it changes. */
  lists: readonly QueryKey[];
  /** Closes what shows the entry, before the queries are refetched: the dialog by default. */
  onDone?(): void | Promise<void>;
  onClose(): void;
}

export function ConfirmedAct<A>(props: ConfirmedActProps<A>) {
  const { opened = true, title, action, children, run, done, lists, onClose } = props;
  const { onDone = onClose } = props;
  const notices = useNotices();
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: run,
    async onSuccess(answer) {
      notices.done(done(answer));
      await onDone();
      await Promise.all(lists.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={title}
      action={action}
      pending={act.isPending}
      error={act.error}
      onConfirm={() => act.mutate()}
      onClose={onClose}
    >
      {typeof children === 'function' ? children(act.error) : children}
    </ConfirmDialog>
  );
}

/** Deletes an entry after a confirmation. */
export interface RemovalWords {
  removeTitle(name: string): string;
  /** Of the button: a verb. */
  removeAction: string;
  /** The notification after the deletion. */
  removed(name: string): string;
}

interface RemovalDialogProps extends Omit<ConfirmedActProps<unknown>, 'title' | 'action' | 'done'> {
  /** Of the entry. */
  name: string;
  words: RemovalWords;
}

export function RemovalDialog({ name, words, ...act }: RemovalDialogProps) {
  return (
    <ConfirmedAct
      {...act}
      title={words.removeTitle(name)}
      action={words.removeAction}
      done={() => words.removed(name)}
    />
  );
}
