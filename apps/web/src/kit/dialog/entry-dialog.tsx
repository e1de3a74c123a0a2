/** The dialog in which an entry of a list is created, changed and deleted. */
import { type ReactNode, useState } from 'react';
import { RemovalDialog, type RemovalWords } from '../action/confirmed-act.tsx';
import { FormDialog, type FormDialogProps } from './form-dialog.tsx';

interface EntryWords extends RemovalWords {
  create: string;
  created(name: string): string;
  saved(name: string): string;
}

interface EntryDialogProps<T extends object, A>
  extends Omit<FormDialogProps<T, A>, 'action' | 'done' | 'onRemove'> {
  /** Null: a new one. */
  entry: { name: string } | null;
  /** For a new one. */
  title: string;
  words: EntryWords;
  /** Absent where it can't be deleted. */
  removal?: Removal | undefined;
}

interface Removal {
  remove(): Promise<unknown>;
  /** What is deleted with it, by the fault of an attempt. */
  text: ReactNode | ((error: unknown) => ReactNode);
}

export function EntryDialog<T extends object, A extends { name: string }>(
  props: EntryDialogProps<T, A>,
) {
  const { entry, title, words, removal, ...dialog } = props;
  const [isRemoving, setRemoving] = useState(false);
  if (entry && removal && isRemoving)
    return (
      <RemovalDialog
        name={entry.name}
        words={words}
        lists={dialog.lists ?? []}
        run={removal.remove}
        onDone={dialog.onClose}
        onClose={() => setRemoving(false)}
      >
        {removal.text}
      </RemovalDialog>
    );
  return (
    <FormDialog
      {...dialog}
      title={entry?.name ?? title}
      action={entry ? undefined : words.create}
      done={({ name }) => (entry ? words.saved(name) : words.created(name))}
      onRemove={entry && removal ? () => setRemoving(true) : undefined}
    />
  );
}
